# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Twofold in a notebook
# Editors and Jupyter (with jupytext) run this file cell by cell; `python3 bindings/python/example.py` runs all of it. It needs
# the libraries (`make lib`) and nothing else.

# %% An engine, and what it thinks of a position
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from twofold import JAPANESE, Engine, TwofoldError

chess = Engine("chess", Hash=16)
chess.position.play("e4", "e5", "Nf3", "Nc6", "Bb5")
print(chess.position)
print(len(chess.position.legal_moves), "legal moves:", *chess.convert(chess.position.legal_moves[0]), "...")


def show(info):
    print(f"depth {info.depth:2}  {info.score_cp / 100:+.2f}  {' '.join(chess.convert(info.moves))}")


# `convert` must wait for the search to end: the lines are kept, and shown behind it.
lines = []
result = chess.search(nodes=50_000, on_info=lambda info: lines.append(info) if info.line == 1 and info.bound == 0 else None)
for line in lines:
    show(line)
print("best:", *chess.convert(result.best), f"(win {result.win / 10:.0f} %, draw {result.draw / 10:.0f} %)")

# %% A game, judged move by move
PGN = """[White "Anna"]
[Black "Bert"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""
game = chess.analyse(PGN, nodes=20_000)
for move in game["moves"]:
    print(f"{move['ply']:3}  {move['human']:6} {move['mark'] or '':2} {move['expected_after']:.3f}  {move['remark'] or ''}")
for player in game["players"]:
    print(f"{player['name']}: accuracy {player['accuracy']} %, {player['blunders']} blunders")

# %% The same, as a page: open report.html in a browser
if "--report" in sys.argv:
    Path("report.html").write_text(chess.report("html", nodes=20_000), encoding="utf-8")

# %% Shogi, in Japanese
with Engine("shogi", Hash=16) as shogi:
    shogi.position.play("７六歩", "３四歩", "２二角成", "同銀")
    best = shogi.search(byoyomi_ms=300).line[:5]
    print(*shogi.convert(best, JAPANESE))
    shogi.set_tag("Black", "Anna")
    print(shogi.write_record("kif"))

# %% What is wrong is one sentence, and the engine lives on
try:
    chess.position.set(None, "e2e4 e2e5")
except TwofoldError as error:
    print(f"{error.kind}: {error}")
chess.close()
