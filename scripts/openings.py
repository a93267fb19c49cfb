#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the balanced openings with which `match` begins its games, by the engine's own search: src/games/GAME/opening_lines.c.

    make lib && python3 scripts/openings.py chess 400 >lines.txt        (goes on with what lines.txt has: some minutes)
    python3 scripts/openings.py chess --write lines.txt                 (the C file from it)

A line is made move by move: each is drawn from those that a short search finds about as good as the best. It is kept when a longer search
finds the position at its end even, and when no other line ends there.
"""

import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings" / "python"))
from twofold import Engine  # noqa: E402

PLIES = {"chess": (8, 9, 10), "shogi": (8, 9, 10, 11, 12)}
CHOICES = 8  # moves looked at for each ply
CHOICE_NODES = 6000
CHOICE_CP = 35  # a move may be so much worse than the best
JUDGE_NODES, GLANCE_NODES = 60000, 5000
EVEN_CP = {"chess": 40, "shogi": 80}  # centipawns as shown, for either side


def candidates(engine: Engine) -> list:
    """The moves that are nearly as good as the best."""
    lines: dict = {}

    def hear(info) -> None:
        if info.bound == 0 and info.moves:
            lines[info.line] = (info.score_cp, info.moves[0], info.mate)

    engine.search(nodes=CHOICE_NODES, on_info=hear)
    if not lines or any(mate for _, _, mate in lines.values()):
        return []
    best = max(score for score, _, _ in lines.values())
    return [move for score, move, _ in lines.values() if score >= best - CHOICE_CP]


def make_line(engine: Engine, judge: Engine, game: str, rng: random.Random):
    """A line of moves and the position at its end, or None when it is not even."""
    moves: list = []
    engine.position.set()
    for _ in range(rng.choice(PLIES[game])):
        choice = candidates(engine)
        if not choice:
            return None
        moves.append(rng.choice(choice))
        engine.position.play(moves[-1])
    judge.position.set(None, moves)
    for nodes, bound in ((GLANCE_NODES, 1.6 * EVEN_CP[game]), (JUDGE_NODES, EVEN_CP[game])):
        judge.new_game()
        result = judge.search(nodes=nodes)
        if result.mate or abs(result.score_cp) > bound:  # at a glance too: no exchange is half done
            return None
    return moves, " ".join(engine.position.text.split()[:4])


def end_of(engine: Engine, line: str) -> str:
    engine.position.set(None, line)
    return " ".join(engine.position.text.split()[:4])


def make(game: str, wanted: int) -> None:
    known = [line for line in sys.stdin.read().split("\n") if line] if not sys.stdin.isatty() else []
    with Engine(game, Hash=16, MultiPV=CHOICES, OwnBook=False) as engine, Engine(game, Hash=16, OwnBook=False) as judge:
        ends = {end_of(judge, line) for line in known}
        number = len(known)
        seed = number
        while len(ends) < wanted:
            seed += 1
            engine.new_game()
            made = make_line(engine, judge, game, random.Random(f"{game} {seed} {number}"))
            if made and made[1] not in ends:
                ends.add(made[1])
                print(*made[0], flush=True)


def write(game: str, path: str) -> None:
    lines = sorted(line for line in Path(path).read_text().split("\n") if line)
    with open(ROOT / "src" / "games" / game / "opening_lines.c", "w", encoding="utf-8") as out:
        out.write(
            "// SPDX-License-Identifier: GPL-3.0-or-later\n"
            "// Balanced openings for matches, as moves from the start of the game. Made by scripts/openings.py with this\n"
            "// program's own search; tests/test_openings.c holds every one to be legal, different and even.\n"
            '#include "games/notation.h"\n\n// clang-format off\nconst char *const OPENING_LINES[] = {\n'
        )
        for line in lines:
            out.write(f'    "{line}",\n')
        out.write("    NULL,\n};\n")
    print(f"{len(lines)} lines written", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] == "--write":
        write(sys.argv[1], sys.argv[3])
    elif len(sys.argv) == 3:
        make(sys.argv[1], int(sys.argv[2]))
    else:
        sys.exit(__doc__)
