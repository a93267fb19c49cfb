#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What jobs over many ranks would do: a simulation of the job runner (src/base/jobs_queue_ranks.c) with 10 to 1000 ranks.

Rank 0 takes one result after the other and answers each with the next job; a message is seen when rank 0 looks for it, and
how often it looks depends on how long nothing came (src/cluster/transport_mpi.c). The numbers below were measured as
docs/cluster.md tells. Prints the table of that page and writes its picture.

    scripts/cluster-simulation.py docs/images/cluster.svg
    scripts/cluster-simulation.py --check            what tests/jobs_bench.c did with real processes, simulated
"""
import heapq
import random
import sys

NODES_PER_SECOND = 2.0e6     # of a thread: 2769143 nodes of `bench` in 1.37 s
NETWORK_US = 50              # a message on its way, Ethernet
TAKE_US = 50                 # rank 0 for each job: task, result, file, report
RANKS = [10, 20, 50, 100, 200, 500, 1000]
# Moves of 40 games of datagen, and the nodes of 20 positions of an analysis in units of --nodes: every 20th part of those
# measured, in order.
GAME_MOVES = [41, 48, 50, 74, 78, 80, 84, 90, 99, 102, 107, 116, 123, 127, 128, 137, 155, 159, 170, 171]
LOOKS = [1] * 6 + [1.25] * 6 + [8] * 8


def looks(nodes):
    return lambda rng: rng.choice(LOOKS) * nodes / NODES_PER_SECOND * 1e6


def games(nodes):
    return lambda rng: rng.choice(GAME_MOVES) * nodes * 1.3 / NODES_PER_SECOND * 1e6


KINDS = [
    ("analyse --nodes 100000", looks(100000), "#1f6feb"),
    ("datagen --nodes 5000", games(5000), "#2da44e"),
    ("datagen --nodes 1500", games(1500), "#8250df"),
    ("analyse --nodes 10000", looks(10000), "#bf8700"),
    ("analyse --nodes 1000", looks(1000), "#cf222e"),
]


def sleep_us(idle_us):
    return 30 if idle_us < 5000 else 500 if idle_us < 100000 else 4000


def simulate(ranks, length, jobs, take_us=TAKE_US, network_us=NETWORK_US, polls=True, seed=1):
    """The efficiency of the ranks, and the share of its time that rank 0 is at work for the others."""
    rng = random.Random(seed)
    arrivals, busy_us, served_us, free_us, last_us = [], 0.0, 0.0, 0.0, 0.0
    given = 0
    for _ in range(min(ranks, jobs)):
        us = length(rng)
        busy_us += us
        given += 1
        heapq.heappush(arrivals, given * take_us + network_us + us + network_us)
    end_us = 0.0
    while arrivals:
        arrival = heapq.heappop(arrivals)
        seen = arrival + (rng.random() * sleep_us(arrival - last_us) if polls and arrival > free_us else 0)
        last_us = max(arrival, last_us)
        free_us = max(free_us, seen) + take_us
        served_us += take_us
        end_us = max(end_us, free_us)
        if given < jobs:
            us = length(rng)
            busy_us += us
            given += 1
            # The rank has sent something a moment ago: it looks every 30 us.
            back = free_us + network_us + (rng.random() * 30 if polls else 0)
            heapq.heappush(arrivals, back + us + network_us)
    return busy_us / (ranks * end_us), served_us / end_us


def mean_us(length):
    rng = random.Random(7)
    return sum(length(rng) for _ in range(20000)) / 20000


def table(jobs_per_rank):
    rows = []
    for name, length, _ in KINDS:
        rows.append((name, mean_us(length), [simulate(n, length, n * jobs_per_rank) for n in RANKS]))
    return rows


def print_table(rows):
    print("| job | mean length | rank 0 is full at |" + "".join(f" {n} |" for n in RANKS))
    print("|---|---|---|" + "---|" * len(RANKS))
    for name, mean, results in rows:
        length = f"{mean / 1e6:.2f} s" if mean >= 1e5 else f"{mean / 1e3:.1f} ms"
        print(f"| `{name}` | {length} | {round(mean / TAKE_US, -1 if mean / TAKE_US < 1000 else -2):.0f} ranks |"
              + "".join(f" {100 * e:.0f} % ({100 * u:.0f}) |" for e, u in results))


def picture(rows):
    width, height, left, right, top, bottom = 720, 400, 56, 190, 36, 48
    import math
    x = lambda n: left + (width - left - right) * math.log10(n / RANKS[0]) / math.log10(RANKS[-1] / RANKS[0])
    y = lambda e: top + (height - top - bottom) * (1 - e)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="20" font-size="14">Share of their time that ranks work, by simulation</text>']
    for i in range(0, 11, 2):
        out.append(f'<line x1="{left}" x2="{width - right}" y1="{y(i / 10):.1f}" y2="{y(i / 10):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(i / 10) + 4:.1f}" text-anchor="end">{10 * i} %</text>')
    for n in RANKS:
        out.append(f'<text x="{x(n):.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">ranks of one thread</text>')
    label_y = None
    order = sorted(range(len(rows)), key=lambda i: -rows[i][2][-1][0])
    for i in order:
        name, _, results = rows[i]
        points = " ".join(f"{x(n):.1f},{y(e):.1f}" for n, (e, _) in zip(RANKS, results))
        colour = KINDS[i][2]
        at = y(results[-1][0]) + 4
        label_y = at if label_y is None else max(at, label_y + 15)
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>'
                   f'<text x="{width - right + 8}" y="{label_y:.1f}" fill="{colour}">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def check():
    """Sleeping jobs of half the mean to one and a half of it, over pipes: no looking, the next job at once."""
    for ranks, jobs, mean in [(20, 2000, 100000), (50, 5000, 10000), (100, 3000, 100000), (200, 6000, 100000)]:
        length = lambda rng: mean * (0.5 + rng.random())
        efficiency, used = simulate(ranks, length, jobs, take_us=30, network_us=50, polls=False)
        print(f"ranks {ranks}, jobs {jobs} of {mean} us: efficiency {efficiency:.3f}, rank 0 {100 * used:.1f} %")


if len(sys.argv) != 2:
    sys.exit(__doc__)
if sys.argv[1] == "--check":
    check()
else:
    ROWS = table(100)
    print_table(ROWS)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(picture(ROWS))
