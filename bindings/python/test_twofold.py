# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of twofold.py on the libraries that `make lib` has left. tests/python.sh runs them."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from twofold import HUMAN, JAPANESE, PROTOCOL, Board, Engine, Info, Result, TwofoldError

HERE = Path(__file__).resolve().parent
PGN = '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Bc4 {hm} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
KIF = "先手：Anna\n後手：Bert\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 投了\n"


class Chess(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine("chess", Hash=2)
        self.addCleanup(self.engine.close)

    def refused(self, kind: str, word: str, call, *arguments, **named) -> None:
        before = self.engine.position.text
        with self.assertRaises(TwofoldError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.kind, kind)
        self.assertIn(word, str(caught.exception))
        self.assertEqual(self.engine.position.text, before)

    def test_positions(self) -> None:
        position = self.engine.position
        self.assertEqual(len(position.legal_moves), 20)
        position.play("e4", "e7e5", "Nf3")
        self.assertTrue(position.text.startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq"))
        self.assertEqual(position.outcome, "goes on")
        self.assertIsInstance(position.evaluation, int)
        position.set("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", ["a1a8"])
        self.assertEqual((position.outcome, position.legal_moves), ("lost", []))
        self.assertIsNone(self.engine.search(depth=3).best)
        position.set(None, "e2e4 e7e5")
        self.assertIn("w KQkq", str(position))

    def test_failures(self) -> None:
        position = self.engine.position
        self.refused("bad move", "Ke3", position.play, "e4", "e5", "Ke3")
        self.refused("bad position", "", position.set, "nonsense")
        self.refused("bad move", "xyzzy", position.set, None, "e2e4 xyzzy")
        self.refused("bad option", "Nothing", self.engine.set_option, "Nothing", 1)
        self.refused("bad option", "Hash", self.engine.set_option, "Hash", "many")
        self.refused("bad argument", "no limit", self.engine.search)
        for limit, value in (("nodes", -1), ("depth", 2**32), ("nodes", 2**64), ("mate", -2), ("byoyomi_ms", 1.5), ("time_ms", (1, 2**63))):
            self.refused("bad argument", f"{limit} is ", self.engine.search, **{limit: value})
        self.refused("bad argument", "one for each side", self.engine.search, inc_ms=(1, 2, 3))
        self.refused("bad argument", "depth is ", self.engine.analyse, depth=-1)
        self.refused("bad argument", "half a character", position.set, "\ud800")
        self.refused("bad argument", "half a character", self.engine.read_record, "1. e4 \udfff\ud800")
        self.refused("bad argument", "NUL", position.set, "a\0b")
        self.refused("bad record", "Ke3", self.engine.read_record, "1. e4 e5 2. Ke3 *")
        self.refused("no record", "no game", self.engine.read_record, "")
        self.refused("bad argument", "pgn", self.engine.write_record, "docx")
        self.refused("bad argument", "no moves", self.engine.analyse)
        with self.assertRaisesRegex(TwofoldError, "'go' is no game"):
            Engine("go")

    def test_closed(self) -> None:
        with Engine("chess") as engine:
            self.assertIn("chess", repr(engine))
        with self.assertRaisesRegex(TwofoldError, "closed"):
            engine.search(nodes=10)
        engine.stop()
        engine.close()

    def test_search(self) -> None:
        heard: list = []
        result = self.engine.search(nodes=20000, on_info=heard.append)
        self.assertIsInstance(result, Result)
        self.assertIn(result.best, self.engine.position.legal_moves)
        self.assertEqual((result.line[0], result.nodes), (result.best, 20000))
        self.assertTrue(heard and all(isinstance(info, Info) and 990 <= info.win + info.draw + info.loss <= 1010 for info in heard))
        self.engine.new_game()
        self.assertEqual(self.engine.search(nodes=20000).line, result.line)
        self.assertNotEqual(self.engine.search(nodes=5000, except_moves=[result.best]).best, result.best)
        self.assertEqual(self.engine.search(nodes=500, only_moves=["a2a3"]).best, "a2a3")
        self.engine.position.set("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        self.assertEqual(self.engine.search(depth=4).mate, 1)

    def test_ends(self) -> None:
        seen = []
        self.engine.search(infinite=True, on_info=lambda info: seen.append(info.depth) or info.depth >= 4)
        self.assertGreaterEqual(seen[-1], 4)

        def breaks(_info: Info) -> None:
            raise ValueError("mine")

        with self.assertRaisesRegex(ValueError, "mine"):
            self.engine.search(infinite=True, on_info=breaks)
        self.engine.arm()
        threading.Timer(0.2, self.engine.stop).start()
        self.assertTrue(self.engine.search(infinite=True).best)
        started = time.monotonic()
        self.assertTrue(self.engine.search(byoyomi_ms=200, time_ms=(0, 0)).best)
        self.assertLess(time.monotonic() - started, 10)

    def test_interrupted(self) -> None:
        """Ctrl-C in the midst of a search or an analysis that calls nobody back; the engine lives on, and the program's signals are its own."""
        game = " ".join(f"{number}. Nf3 Nf6 {number + 1}. Ng1 Ng8" for number in range(1, 200, 2))
        for delay in (0.0, 0.001, 0.003, 0.5):  # while it begins, and in the midst of it
            for long in ("engine.search(infinite=True)", "engine.analyse(nodes=10**12)", "engine.report('text', move_time_ms=10**9)"):
                script = (
                    "import signal, threading, twofold\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nengine = twofold.Engine('chess', Hash=2)\n"
                    f"engine.read_record('{game} *')\n"
                    f"try:\n    print('ready', flush=True)\n    {long}\nexcept KeyboardInterrupt:\n"
                    "    print('interrupted', signal.set_wakeup_fd(-1), threading.active_count(), signal.getsignal(2) is signal.default_int_handler)\n"
                    "print(engine.search(nodes=10).nodes)\n"
                )
                environment = dict(os.environ, PYTHONPATH=str(HERE))
                child = subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                assert child.stdout
                self.assertEqual(child.stdout.readline(), "ready\n")
                time.sleep(delay)
                child.send_signal(signal.SIGINT)
                out, err = child.communicate(timeout=120)
                self.assertEqual((out.split(), err), (["interrupted", "-1", "1", "True", "10"], ""), (delay, long))

    def test_ignored(self) -> None:
        """A program that ignores Ctrl-C, as one in the background of a shell does, thinks to the end."""
        script = (
            "import signal, threading, os, twofold\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nengine = twofold.Engine('chess', Hash=2)\n"
            "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()\nprint(engine.search(move_time_ms=600).time_ms >= 500)\n"
        )
        run = subprocess.run([sys.executable, "-c", script], env=dict(os.environ, PYTHONPATH=str(HERE)), capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((run.stdout, run.stderr), ("True\n", ""))

    def test_busy(self) -> None:
        result: list = []
        self.engine.arm()
        thread = threading.Thread(target=lambda: result.append(self.engine.search(infinite=True)))
        thread.start()
        deadline, kind = time.monotonic() + 20, ""
        while kind != "busy" and time.monotonic() < deadline:  # the lock is free while it thinks
            try:
                self.engine.new_game()
            except TwofoldError as error:
                kind = error.kind
            time.sleep(0.01)
        self.engine.stop()
        thread.join()
        self.assertEqual((kind, len(result)), ("busy", 1))

    def test_records(self) -> None:
        engine = self.engine
        engine.read_record(PGN)
        self.assertEqual((engine.tag("White"), engine.tag("Nothing"), engine.position.outcome), ("Anna", "", "lost"))
        record = engine.record()
        self.assertEqual([move["text"] for move in record["moves"]], "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split())
        self.assertEqual((record["moves"][2]["comment"], record["result"], record["tags"]["Black"]), ("hm", "1-0", "Bert"))
        engine.set_tag("Event", "a “test”")
        text = engine.write_record()
        self.assertIn('[Event "a “test”"]', text)
        self.assertEqual(engine.write_record("uci").split()[-1], "h5f7")
        both = PGN + "\n1. e4 e5 2. Ke3 *\n\n" + '[White "Cleo"]\n\n1. d4 *\n'
        self.assertEqual([(number, engine.tag("White")) for number in engine.records(both)], [(1, "Anna"), (3, "Cleo")])
        with self.assertRaisesRegex(TwofoldError, "Ke3"):
            list(engine.records(both, strict=True))

    def test_analysis(self) -> None:
        progress: list = []
        game = self.engine.analyse(PGN, nodes=3000, on_progress=lambda done, total: progress.append((done, total)))
        done, total = progress[-1]
        self.assertEqual((done, total), (len(progress), done))
        self.assertGreaterEqual(done, 8)  # more where a move is looked at twice
        self.assertEqual([move["human"] for move in game["moves"]], "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split())
        self.assertEqual(game["moves"][5]["mark"], "??")
        self.assertEqual([player["name"] for player in game["players"]], ["Anna", "Bert"])
        self.assertEqual(game["tags"]["White"], "Anna")
        self.assertIn("</html>", self.engine.report("html", nodes=500))
        self.assertIn("[%eval", self.engine.report("pgn", nodes=500))
        with self.assertRaises(TwofoldError) as caught:
            self.engine.report("json", nodes=500, on_progress=lambda done, total: done == 3)
        self.assertEqual((caught.exception.kind, str(caught.exception)), ("stopped", "stopped after 3 of 8 positions"))

    def test_notations(self) -> None:
        self.assertEqual(self.engine.convert("e2e4 e7e5 g1f3"), ["e4", "e5", "Nf3"])
        self.assertEqual(self.engine.convert("1. e4 e5 2. Nf3", PROTOCOL), ["e2e4", "e7e5", "g1f3"])
        self.assertEqual(self.engine.convert([]), [])

    def test_options(self) -> None:
        names = self.engine.option_names()
        self.assertTrue({"Hash", "Threads", "MultiPV"} <= set(names))
        self.engine.set_option("MultiPV", 2)
        lines = set()
        self.engine.search(depth=4, on_info=lambda info: lines.add(info.line))
        self.assertEqual(lines, {1, 2})


    def test_own_evaluation(self) -> None:
        worth = dict(zip("PNBRQK", (100, 300, 300, 500, 900, 0)))
        seen: list = []

        def judge(board: Board) -> int:
            men = [board.man(square) for square in range(64)]
            seen.append(men)
            self.assertEqual((board.man(64), board.man(-1), board.hand(0, "P")), ("", "", 0))
            score = sum(worth[man.upper()] * (1 if man.isupper() else -1) for man in men if man)
            return score if board.side_to_move == 0 else -score

        self.engine.position.set("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        with_network = self.engine.search(nodes=1000)
        self.engine.set_evaluate(judge)
        self.assertEqual(self.engine.position.evaluation, -800)
        self.assertEqual("".join(man or "." for man in seen[0]), "....K..." + 16 * "." + "....P......q...." + 20 * "." + "k...")
        result = self.engine.search(depth=2)
        self.assertEqual((result.best, result.mate), ("e4d5", 0))
        self.engine.set_evaluate(lambda board: 10**12)
        self.assertEqual((self.engine.position.evaluation, self.engine.search(depth=1).mate), (20000, 0))
        calls: list = []

        def fails(_board: Board) -> int:
            calls.append(1)
            raise ValueError("no opinion")

        self.engine.set_evaluate(fails)
        for ask in (lambda: self.engine.search(nodes=10**9), lambda: self.engine.position.evaluation):
            with self.assertRaisesRegex(ValueError, "no opinion"):
                ask()
        self.engine.set_evaluate(None)
        calls.clear()
        self.assertEqual(self.engine.search(nodes=1000).line, with_network.line)
        self.assertEqual(calls, [])


class Shogi(unittest.TestCase):
    def test_own_evaluation(self) -> None:
        seen: list = []

        def judge(board: Board) -> int:
            seen.append((board.man(7), board.man(75), board.hand(0, "P"), board.hand(0, "p"), board.hand(1, "G"), board.side_to_move))
            return 50 * (board.hand(0, "P") - board.hand(1, "P")) * (-1 if board.side_to_move else 1)

        with Engine("shogi", Hash=2) as engine:
            engine.position.set("4k4/9/9/9/9/9/9/8+r/4K4 w 2Pg 1")
            engine.set_evaluate(judge)
            self.assertEqual(engine.position.evaluation, -100)
            self.assertEqual(seen, [("+r", "", 2, 2, 1, 1)])
            self.assertTrue(engine.search(depth=2).best)

    def test_all(self) -> None:
        with Engine("shogi", Hash=2, OwnBook=False) as engine:
            words = "▲７六歩 △３四歩 ▲２二角成 △同銀".split()
            self.assertEqual(engine.convert("7g7f 3c3d 8h2b+ 3a2b", JAPANESE), words)
            self.assertEqual(engine.convert(words, HUMAN), ["P-7f", "P-3d", "Bx2b+", "Sx2b"])
            engine.position.play(*words)
            self.assertEqual(engine.position.text.split()[1], "b")
            self.assertTrue(engine.search(byoyomi_ms=100).best)
            for data in (KIF, KIF.encode("shift_jis")):
                engine.read_record(data)
                self.assertEqual((engine.tag("Black"), len(engine.record()["moves"])), ("Anna", 3))
            self.assertIn("２二角成(88)", engine.write_record())
            self.assertIn("+8822UM", engine.write_record("csa"))
            self.assertEqual(len(engine.analyse(nodes=300)["moves"]), 3)


class Libraries(unittest.TestCase):
    """A library that is missing, is none, or has another interface: one sentence."""

    def sentence(self, folder: str) -> str:
        script = "import twofold\ntry:\n    twofold.Engine('chess')\nexcept twofold.TwofoldError as error:\n    print(error)\n"
        environment = dict(os.environ, TWOFOLD_LIBRARY_PATH=folder, PYTHONPATH=str(HERE))
        run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        return run.stdout.strip()

    def test_other_version(self) -> None:
        compiler = os.environ.get("CC", "gcc").split()
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "other.c"
            for text, expected in (
                ('const char *twofold_chess_check(int i); const char *twofold_chess_check(int i) { return i == 2 ? 0 : "the program was made for an older one"; }', "older one"),
                ("int something_else; ", "no libtwofold-chess of interface"),
                ("const char *twofold_chess_check(int i); const char *twofold_chess_check(int i) { return i ? 0 : 0; }", "another version"),
            ):
                source.write_text(text)
                library = Path(folder) / "libtwofold-chess.so.1"
                try:
                    subprocess.run([*compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
                except FileNotFoundError:
                    self.skipTest(f"{compiler[0]} is not here")
                sentence = self.sentence(folder)
                self.assertIn(expected, sentence)
                self.assertEqual(len(sentence.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
