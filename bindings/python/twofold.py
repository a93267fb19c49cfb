# SPDX-License-Identifier: GPL-3.0-or-later
"""Twofold for Python: chess and shogi engines, positions, notations, records and whole games analysed.

One file, no other package: it loads the shared library of the game (``libtwofold-chess.so.1``, ``libtwofold-shogi.so.1``) with
ctypes and is the interface of ``twofold.h`` in Python's words. It looks for the library where ``TWOFOLD_LIBRARY_PATH`` says
(a folder), beside the sources it came with (after ``make lib``), and where the system keeps its libraries (after ``make install``).

    >>> from twofold import Engine
    >>> engine = Engine("chess")
    >>> engine.position.play("e4", "e5")
    >>> engine.search(nodes=20000).best
    'g1f3'
    >>> engine.read_record(open("game.pgn").read())
    >>> for move in engine.analyse(nodes=20000)["moves"]:
    ...     print(move["human"], move["mark"])

Every failure is a :class:`TwofoldError` with the library's own sentence; the engine is then as it was. Engines are independent:
different threads may use different ones at the same time, and only :meth:`Engine.stop` may be called from another thread than the
one that uses the engine. The interpreter's lock is released while the library thinks, and Ctrl-C ends what it thinks about.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import signal
import socket
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

__all__ = ["Engine", "Position", "Board", "Info", "Result", "TwofoldError", "HUMAN", "JAPANESE", "PROTOCOL"]

INTERFACE = 1  # of twofold.h, and in the name of the shared library
PROTOCOL, HUMAN, JAPANESE = 0, 1, 2  # how moves are written
GAMES = ("chess", "shogi")
_PROMOTED = 256  # added to the letter of a promoted man
_MOST = 2**31 - 1  # of an int in C

_STATUS = {
    -1: "bad argument",
    -2: "bad position",
    -3: "bad move",
    -4: "bad option",
    -5: "no memory",
    -6: "busy",
    -7: "bad record",
    -8: "no record",
    -9: "stopped",
}
_OUTCOMES = ("goes on", "drawn", "won", "lost")
_NO_RECORD = -8


class TwofoldError(Exception):
    """What the library refused or could not do; its text is one sentence. ``kind`` is a word such as ``"bad move"``."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


# ---- the structs of twofold.h ---------------------------------------------------------------------
class _Limits(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("nodes", ctypes.c_uint64),
        ("depth", ctypes.c_int),
        ("mate", ctypes.c_int),
        ("move_time_ms", ctypes.c_int64),
        ("time_ms", ctypes.c_int64 * 2),
        ("inc_ms", ctypes.c_int64 * 2),
        ("moves_to_go", ctypes.c_int),
        ("infinite", ctypes.c_int),
        ("only_moves", ctypes.c_char_p),
        ("except_moves", ctypes.c_char_p),
        ("byoyomi_ms", ctypes.c_int64),
    ]


class _Info(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("depth", ctypes.c_int),
        ("selective_depth", ctypes.c_int),
        ("line", ctypes.c_int),
        ("score_cp", ctypes.c_int),
        ("mate", ctypes.c_int),
        ("bound", ctypes.c_int),
        ("win", ctypes.c_int),
        ("draw", ctypes.c_int),
        ("loss", ctypes.c_int),
        ("nodes", ctypes.c_uint64),
        ("time_ms", ctypes.c_int64),
        ("moves", ctypes.c_char_p),
    ]


class _Result(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("best", ctypes.c_char * 16),
        ("ponder", ctypes.c_char * 16),
        ("line", ctypes.c_char * 2048),
        ("score_cp", ctypes.c_int),
        ("mate", ctypes.c_int),
        ("win", ctypes.c_int),
        ("draw", ctypes.c_int),
        ("loss", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("nodes", ctypes.c_uint64),
        ("time_ms", ctypes.c_int64),
    ]


_INFO_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Info))
_EVALUATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_PROGRESS_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)


# ---- what a search tells --------------------------------------------------------------------------
@dataclass(frozen=True)
class Info:
    """One line of thought. Scores are those of the side to move; ``mate`` is 0 where there is none."""

    depth: int
    selective_depth: int
    line: int  # from 1: the best line, the second best ...
    score_cp: int
    mate: int
    bound: int  # 0: exact, 1: at least, -1: at most
    win: int  # expected, in permille
    draw: int
    loss: int
    nodes: int
    time_ms: int
    moves: List[str]


@dataclass(frozen=True)
class Result:
    """What a search found. ``best`` is None when there is no legal move."""

    best: Optional[str]
    ponder: Optional[str]
    line: List[str]
    score_cp: int
    mate: int
    win: int
    draw: int
    loss: int
    depth: int
    nodes: int
    time_ms: int


# ---- the library ----------------------------------------------------------------------------------
def _places(game: str) -> Iterator[str]:
    """Where the library may be, best first."""
    names = [f"libtwofold-{game}.so.{INTERFACE}", f"libtwofold-{game}.so", f"twofold-{game}.dll", f"libtwofold-{game}.dylib"]
    folders = [os.environ[name] for name in ("TWOFOLD_LIBRARY_PATH",) if os.environ.get(name)]
    folders.append(str(Path(__file__).resolve().parent.parent.parent))
    for folder in folders:
        for name in names:
            path = Path(folder) / name
            if path.exists():
                yield str(path)
    yield names[0]
    found = ctypes.util.find_library(f"twofold-{game}")
    if found:
        yield found


_loaded: Dict[str, ctypes.CDLL] = {}


def _declare(library: ctypes.CDLL, game: str) -> None:
    engine, text, out = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)
    limits = ctypes.POINTER(_Limits)
    signatures: Dict[str, Any] = {
        "version": (text, []),
        "check": (text, [ctypes.c_int]),
        "new": (engine, []),
        "free": (None, [engine]),
        "error": (text, [engine]),
        "set_option": (ctypes.c_int, [engine, text, text]),
        "option_name": (text, [ctypes.c_int]),
        "new_game": (ctypes.c_int, [engine]),
        "set_position": (ctypes.c_int, [engine, text, text]),
        "play": (ctypes.c_int, [engine, text]),
        "position": (ctypes.c_int, [engine, text, ctypes.c_size_t]),
        "legal_moves": (ctypes.c_int, [engine, text, ctypes.c_size_t]),
        "outcome": (ctypes.c_int, [engine, ctypes.POINTER(ctypes.c_int)]),
        "evaluate": (ctypes.c_int, [engine, ctypes.POINTER(ctypes.c_int)]),
        "set_evaluate": (ctypes.c_int, [engine, _EVALUATE, ctypes.c_void_p]),
        "man": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
        "hand": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
        "side_to_move": (ctypes.c_int, [ctypes.c_void_p]),
        "convert": (ctypes.c_int, [engine, text, ctypes.c_int, out]),
        "read_record": (ctypes.c_int, [engine, text, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)]),
        "tag": (ctypes.c_int, [engine, text, out]),
        "set_tag": (ctypes.c_int, [engine, text, text]),
        "write_record": (ctypes.c_int, [engine, text, out]),
        "search": (ctypes.c_int, [engine, limits, _INFO_CALLBACK, ctypes.c_void_p, ctypes.POINTER(_Result)]),
        "analyse": (ctypes.c_int, [engine, limits, _PROGRESS_CALLBACK, ctypes.c_void_p, text, out]),
        "arm": (None, [engine]),
        "stop": (None, [engine]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, f"twofold_{game}_{name}")
        function.restype, function.argtypes = result, arguments


def _load(game: str) -> ctypes.CDLL:
    if game not in GAMES:
        raise TwofoldError("bad argument", f"'{game}' is no game of this library: expected chess or shogi")
    if game in _loaded:
        return _loaded[game]
    why = ""
    for place in _places(game):
        try:
            library = ctypes.CDLL(place)
        except OSError as error:
            why = why or str(error)
            continue
        try:
            check = getattr(library, f"twofold_{game}_check")
        except AttributeError:
            raise TwofoldError(
                "bad library", f"{place} is no libtwofold-{game} of interface {INTERFACE}: it is older than this file, or something else"
            ) from None
        check.restype, check.argtypes = ctypes.c_char_p, [ctypes.c_int]
        complaint = check(INTERFACE)
        if complaint:
            raise TwofoldError("bad library", f"{place}: {complaint.decode()}")
        try:
            _declare(library, game)
        except AttributeError as error:
            raise TwofoldError("bad library", f"{place} is of another version than this file: {error}") from None
        _loaded[game] = library
        return library
    raise TwofoldError(
        "no library",
        f"libtwofold-{game}.so.{INTERFACE} was not found ({why}): build it with `make lib`, or name its folder in TWOFOLD_LIBRARY_PATH",
    )


def _bytes(text: str, what: str) -> bytes:
    """As C has it: a NUL would end it early."""
    if "\0" in text:
        raise TwofoldError("bad argument", f"{what} has a NUL in it")
    return _utf8(text, what)


def _utf8(text: str, what: str) -> bytes:
    """Bytes that Python read as text they are not (names of files) go through as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise TwofoldError("bad argument", f"{what} has half a character in it") from None


Moves = Union[str, Sequence[str]]


def _moves(moves: Optional[Moves]) -> Optional[bytes]:
    if moves is None:
        return None
    return _bytes(moves if isinstance(moves, str) else " ".join(moves), "the list of moves")


class Position:
    """The game so far of an engine: what is on the board, what may be played, how it stands."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    def set(self, position: Optional[str] = None, moves: Optional[Moves] = None) -> None:
        """A FEN or SFEN (None: the start of the game) and the moves played from it, as the protocols write them."""
        text = None if position is None else _bytes(position, "the position")
        self._engine._call("set_position", text, _moves(moves))

    def play(self, *moves: str) -> None:
        """Plays moves in any notation: ``"e2e4"``, ``"Nf3"``, ``"7g7f"``, ``"▲７六歩"``. All of them or none."""
        before = self._engine
        for move in before.convert(list(moves), PROTOCOL) if moves else []:
            before._call("play", move.encode())

    @property
    def text(self) -> str:
        """The position as FEN or SFEN."""
        return self._engine._buffer("position", 512)

    @property
    def legal_moves(self) -> List[str]:
        return self._engine._buffer("legal_moves", 16384).split()

    @property
    def outcome(self) -> str:
        """``"goes on"``, ``"drawn"``, ``"won"`` or ``"lost"``: by the rules, for the side to move."""
        outcome = ctypes.c_int()
        self._engine._call("outcome", ctypes.byref(outcome))
        return _OUTCOMES[outcome.value]

    @property
    def evaluation(self) -> int:
        """Centipawns for the side to move, without a search."""
        value = ctypes.c_int()
        self._engine._call("evaluate", ctypes.byref(value))
        return value.value

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self._engine.game} position {self.text}>"


class Board:
    """What an evaluation of your own is asked about (:meth:`Engine.set_evaluate`); it is valid during the call alone."""

    __slots__ = ("_function", "_at")

    def __init__(self, function: Callable[[str], Any], at: int) -> None:
        self._function, self._at = function, at

    def man(self, square: int) -> str:
        """The letter of FEN or SFEN on a square, a capital for the side that moves first, with ``"+"`` before a promoted man of shogi;
        ``""`` where there is none. Squares of chess: a1 = 0, b1 = 1 .. h8 = 63; of shogi: 1a = 0, 1b = 1 .. 9i = 80."""
        man = self._function("man")(self._at, square)
        return ("+" if man >= _PROMOTED else "") + chr(man % _PROMOTED) if man else ""

    def hand(self, side: int, man: str) -> int:
        """How many men of a letter a side has in hand: 0 is the side that moves first."""
        return self._function("hand")(self._at, side, ord(man))

    @property
    def side_to_move(self) -> int:
        """0 for the side that moves first, else 1."""
        return self._function("side_to_move")(self._at)


class Engine:
    """An engine of one game, with its options and the game it is in."""

    def __init__(self, game: str = "chess", **options: Union[str, int, bool]) -> None:
        """Options are those of the program (``Hash=64, Threads=2``); :meth:`option_names` lists them."""
        self._handle: Optional[int] = None
        self._evaluate = _EVALUATE()  # kept as long as the library may call it
        self._raised: List[BaseException] = []  # in it
        self._library = _load(game)
        self.game = game
        self._handle = self._function("new")()
        if not self._handle:
            raise TwofoldError("no memory", "there is not enough memory for an engine")
        self.position = Position(self)
        for name, value in options.items():
            self.set_option(name, value)

    # ---- calls ----
    def _function(self, name: str) -> Any:
        return getattr(self._library, f"twofold_{self.game}_{name}")

    def _call(self, name: str, *arguments: Any) -> None:
        status = self._status(name, *arguments)
        if status != 0:
            self._raise(status)

    def _status(self, name: str, *arguments: Any) -> int:
        if not self._handle:
            raise TwofoldError("closed", "the engine is closed")
        status = self._function(name)(self._handle, *arguments)
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
        return status

    def _raise(self, status: int) -> None:
        kind = _STATUS.get(status, f"status {status}")
        if kind == "busy":
            raise TwofoldError(kind, "a search is running on this engine")
        raise TwofoldError(kind, self._function("error")(self._handle).decode("utf-8", "replace"))

    def _buffer(self, name: str, size: int) -> str:
        buffer = ctypes.create_string_buffer(size)
        self._call(name, buffer, size)
        return buffer.value.decode()

    def _text(self, name: str, *arguments: Any) -> str:
        text = ctypes.c_char_p()
        self._call(name, *arguments, ctypes.byref(text))
        return (text.value or b"").decode("utf-8", "replace")

    # ---- life ----
    def close(self) -> None:
        """Frees the engine; nothing else may be called after it. A ``with`` block does the same at its end."""
        if self._handle:
            self._function("free")(self._handle)
        self._handle = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    @property
    def version(self) -> str:
        """The version of the library."""
        return self._function("version")().decode()

    # ---- options ----
    def set_option(self, name: str, value: Union[str, int, bool]) -> None:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._call("set_option", _bytes(name, "the name"), _bytes(text, "the value"))

    def option_names(self) -> List[str]:
        names, index = [], 0
        while True:
            name = self._function("option_name")(index)
            if not name:
                return names
            names.append(name.decode())
            index += 1

    def new_game(self) -> None:
        """Forgets what earlier searches learned: the same search then gives the same answer again."""
        self._call("new_game")

    def set_evaluate(self, function: Optional[Callable[[Board], int]]) -> None:
        """Searches with an evaluation of your own from now on; None: with the network again. The function gets a :class:`Board` and answers
        in centipawns for the side to move. It is called often, by every thread of a search, and must not call the engine. An exception in
        it ends the search, and is raised again by what asked."""

        def ask(_context: int, position: int) -> int:
            try:
                return max(-_MOST, min(_MOST, int(function(Board(self._function, position)))))
            except BaseException as error:  # can't go through C
                self._raised.append(error)
                self.stop()
                return 0

        callback = _EVALUATE(ask) if function else _EVALUATE()
        self._call("set_evaluate", callback, None)
        self._evaluate = callback

    # ---- notations ----
    def convert(self, moves: Moves, notation: int = HUMAN) -> List[str]:
        """Moves from the current position on, in any notation, as they are written in the one that is asked for
        (``PROTOCOL``, ``HUMAN``: SAN or western, ``JAPANESE``: as in KIF files). None is played."""
        return self._text("convert", _moves(moves) or b"", notation).split()

    # ---- records ----
    def read_record(self, text: Union[str, bytes]) -> None:
        """Sets up the first game of a text: PGN, EPD; KIF, KI2, CSA, USI; lists of moves. Bytes may be in Shift_JIS."""
        self._read(text if isinstance(text, bytes) else _utf8(text, "the record"), None)

    def records(self, text: Union[str, bytes], strict: bool = False) -> Iterator[int]:
        """Sets up one game of a text after the other, and gives its number, from 1. Games with an error are left out, or
        raise it when ``strict``."""
        data = text if isinstance(text, bytes) else _utf8(text, "the record")
        at, number = ctypes.c_size_t(0), 0
        while True:
            number += 1
            status = self._read(data, at)
            if status == _NO_RECORD:
                return
            if status == 0:
                yield number
            elif strict:
                self._raise(status)

    def _read(self, data: bytes, at: Optional[ctypes.c_size_t]) -> int:
        if at is None:
            self._call("read_record", data, len(data), None)
            return 0
        return self._status("read_record", data, len(data), ctypes.byref(at))

    def write_record(self, format: Optional[str] = None) -> str:
        """The game so far as text: ``"pgn"``, ``"kif"``, ``"csa"``, ``"usi"`` ...; None: the usual format."""
        return self._text("write_record", None if format is None else _bytes(format, "the format"))

    def record(self) -> Dict[str, Any]:
        """The game so far as a dictionary: tags, start, moves in two notations with comments and clocks, result."""
        return json.loads(self.write_record("json"))

    def tag(self, name: str) -> str:
        """A tag of the game (``"White"``, ``"Event"``); ``""`` when it has none."""
        return self._text("tag", _bytes(name, "the name"))

    def set_tag(self, name: str, value: str) -> None:
        self._call("set_tag", _bytes(name, "the name"), _bytes(value, "the value"))

    # ---- thinking ----
    def search(
        self,
        *,
        nodes: int = 0,
        depth: int = 0,
        mate: int = 0,
        move_time_ms: int = 0,
        time_ms: Sequence[int] = (0, 0),
        inc_ms: Sequence[int] = (0, 0),
        byoyomi_ms: int = 0,
        moves_to_go: int = 0,
        infinite: bool = False,
        only_moves: Optional[Moves] = None,
        except_moves: Optional[Moves] = None,
        on_info: Optional[Callable[[Info], Optional[bool]]] = None,
    ) -> Result:
        """Thinks until one of the limits is reached; at least one must be given. ``on_info`` is called for each line of thought and
        ends the search by answering True. An exception in it ends the search too, and is raised again here."""
        limits = _limits(nodes=nodes, depth=depth, mate=mate, move_time_ms=move_time_ms, moves_to_go=moves_to_go, byoyomi_ms=byoyomi_ms)
        limits.infinite = int(bool(infinite))
        limits.time_ms[:] = _both("time_ms", time_ms)
        limits.inc_ms[:] = _both("inc_ms", inc_ms)
        limits.only_moves, limits.except_moves = _moves(only_moves), _moves(except_moves)
        raised: List[BaseException] = []

        def hear(_context: int, info: Any) -> int:
            return _guarded(raised, lambda: on_info is not None and on_info(_info_of(info.contents)))

        result = _Result(size=ctypes.sizeof(_Result))
        callback = _INFO_CALLBACK(hear) if on_info else _INFO_CALLBACK()
        with _interruptible(self):
            status = self._status("search", ctypes.byref(limits), callback, None, ctypes.byref(result))
        if raised:
            raise raised[0]
        if status != 0:
            self._raise(status)
        return _result_of(result)

    def arm(self) -> None:
        """From here on a :meth:`stop` counts for the next search, even when it comes before that has begun."""
        if self._handle:
            self._function("arm")(self._handle)

    def stop(self) -> None:
        """Ends the search or analysis that runs. From any thread."""
        if self._handle:
            self._function("stop")(self._handle)

    def report(
        self,
        format: str = "html",
        *,
        nodes: int = 0,
        depth: int = 0,
        move_time_ms: int = 0,
        on_progress: Optional[Callable[[int, int], Optional[bool]]] = None,
    ) -> str:
        """Judges every move of the game so far. The limits are for each position (none: 100 000 nodes). ``"html"`` is a page of its own,
        ``"text"`` a summary, ``"pgn"`` or ``"kif"`` the game with marks and remarks, ``"json"`` lines for programs."""
        raised: List[BaseException] = []

        def hear(_context: int, done: int, total: int) -> int:
            return _guarded(raised, lambda: on_progress is not None and on_progress(done, total))

        limits = _limits(nodes=nodes, depth=depth, move_time_ms=move_time_ms)
        given = ctypes.byref(limits) if nodes or depth or move_time_ms else None
        callback = _PROGRESS_CALLBACK(hear) if on_progress else _PROGRESS_CALLBACK()
        text = ctypes.c_char_p()
        with _interruptible(self):
            status = self._status("analyse", given, callback, None, _bytes(format, "the format"), ctypes.byref(text))
        if raised:
            raise raised[0]
        if status != 0:
            self._raise(status)
        return (text.value or b"").decode("utf-8", "replace")

    def analyse(self, record: Optional[Union[str, bytes]] = None, **arguments: Any) -> Dict[str, Any]:
        """The game so far (or the first of the record that is given) with every move judged, as a dictionary: what :meth:`report` has in its
        ``"json"``, with the moves under ``"moves"`` and the summary's members beside them. Takes the arguments of :meth:`report`."""
        if record is not None:
            self.read_record(record)
        lines = [json.loads(line) for line in self.report("json", **arguments).splitlines()]
        game: Dict[str, Any] = {}
        moves: List[Dict[str, Any]] = []
        for line in lines:
            kind = line.pop("type")
            if kind == "move":
                moves.append(line)
            elif kind in ("game", "summary"):
                game.update(line)
        game["moves"] = moves
        return game

    def __repr__(self) -> str:
        return f"<Twofold {self.version} {self.game}>" if self._handle else f"<Twofold {self.game}, closed>"


# ---- small things ---------------------------------------------------------------------------------
def _fitting(name: str, value: int, size: int) -> int:
    """A limit that fits into so many bytes: ctypes would cut it without a word."""
    most = 2 ** (8 * size - 1) - 1
    if not isinstance(value, int) or not 0 <= value <= most:
        raise TwofoldError("bad argument", f"{name} is {value!r}: expected a whole number from 0 to {most}")
    return value


def _limits(**limits: int) -> _Limits:
    filled = _Limits(size=ctypes.sizeof(_Limits))
    for name, value in limits.items():
        setattr(filled, name, _fitting(name, value, getattr(_Limits, name).size))
    return filled


def _both(name: str, values: Sequence[int]) -> List[int]:
    """One number for each side."""
    if len(values) != 2:
        raise TwofoldError("bad argument", f"{name} has {len(values)} numbers: expected one for each side")
    return [_fitting(name, value, 8) for value in values]


@contextmanager
def _interruptible(engine: Engine) -> Iterator[None]:
    """Python acts on a Ctrl-C between steps of its own, of which a search may have none. But the system tells of it at once: a thread
    listens, and stops the engine. What the program does about a Ctrl-C it does when all this is put away again: an exception in the
    midst of it would leave locks and threads behind."""
    handler = signal.getsignal(signal.SIGINT)
    # Only the main thread is interrupted, and a program that ignores a Ctrl-C is left alone.
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pressed: List[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    is_done = threading.Event()
    here, there = socket.socketpair()
    there.setblocking(False)

    def listen() -> None:
        while heard := here.recv(64):
            while signal.SIGINT in heard and not is_done.wait(0.05):
                engine.stop()  # again and again: it may not have begun

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
    if pressed:  # before anybody listened
        there.send(bytes(pressed))
    try:
        yield
    finally:
        is_done.set()
        signal.set_wakeup_fd(before)
        there.close()
        listener.join()
        here.close()
        signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _guarded(raised: List[BaseException], call: Callable[[], Any]) -> int:
    """An exception can't go through C: it waits in the list."""
    try:
        return 1 if call() else 0
    except BaseException as error:  # also a KeyboardInterrupt
        raised.append(error)
        return 1


def _info_of(info: _Info) -> Info:
    return Info(
        info.depth, info.selective_depth, info.line, info.score_cp, info.mate, info.bound, info.win, info.draw, info.loss,
        info.nodes, info.time_ms, (info.moves or b"").decode().split(),
    )


def _result_of(result: _Result) -> Result:
    return Result(
        result.best.decode() or None, result.ponder.decode() or None, result.line.decode().split(), result.score_cp, result.mate,
        result.win, result.draw, result.loss, result.depth, result.nodes, result.time_ms,
    )


if __name__ == "__main__":
    for _game in sys.argv[1:] or GAMES:
        with Engine(_game) as _engine:
            print(repr(_engine), _engine.position.text, _engine.search(nodes=20000))
