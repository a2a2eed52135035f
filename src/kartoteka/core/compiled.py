"""The compiled core: what turns a game's rules into machine code, and the loops that run over any game.

A game's ``rules.py`` is plain functions on one record, marked `@rule`. This module compiles them (numba),
keeps the machine code on disk, and binds the generic loops below to them. With ``NUMBA_DISABLE_JIT=1``
the same code runs as plain Python and gives the same games.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
import platformdirs

State = Any
"""One game state: an element of an array of the game's ``STATE`` dtype."""
Ints = npt.NDArray[np.int32]
States = npt.NDArray[Any]

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]
_COMPILING = threading.RLock()
_MASK32 = 0xFFFFFFFF


# --- compiling, and where the machine code is kept ---------------------------------------------------------


@functools.cache
def _cache_dir(folder: Path) -> str:
    """Return the folder for machine code built from `folder`; an edited source gets a new one, so none is stale."""
    sources = [Path(__file__), _PACKAGE / "cards.py", *folder.glob("*.py")]
    checked = numba.config.BOUNDSCHECK  # type: ignore[attr-defined]
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version} {checked}".encode())
    for source in sorted(set(sources)):
        digest.update(source.name.encode() + source.read_bytes())
    home = Path(os.environ.get("KARTOTEKA_CACHE") or platformdirs.user_cache_dir("kartoteka"))
    target = home / f"{folder.name}-{digest.hexdigest()[:16]}"
    if any(_damaged(file) for file in target.rglob("*.nb?")):  # as a power cut leaves them: compile again
        shutil.rmtree(target, ignore_errors=True)
    try:
        if not target.exists():
            target.mkdir(parents=True)
            _prune(home.glob(f"{folder.name}-*"))
        if not os.access(target, os.W_OK):
            raise PermissionError(target)
    except OSError:  # a home that cannot be written: compile afresh each time rather than fail
        target = Path(tempfile.mkdtemp(prefix="kartoteka-"))
        atexit.register(shutil.rmtree, target, ignore_errors=True)
    return str(target)


def _prune(folders: Iterable[Path], keep: int = 4) -> None:
    """Remove machine code of earlier sources, all but the newest few."""
    for old in sorted(folders, key=lambda f: f.stat().st_mtime, reverse=True)[keep:]:
        shutil.rmtree(old, ignore_errors=True)


def _damaged(file: Path) -> bool:
    """Whether a file of machine code is not a whole pickle, by its first and last byte."""
    data = file.read_bytes()
    return data[:1] != b"\x80" or data[-1:] != b"."


def _compile(f: F, folder: Path) -> F:
    config: Any = numba.config
    with _COMPILING:  # the folder is numba's global setting, and a server loads games in threads
        before, config.CACHE_DIR = config.CACHE_DIR, _cache_dir(folder)
        try:
            return cast(F, numba.njit(nogil=True, cache=True)(f))
        finally:
            config.CACHE_DIR = before


def rule(f: F) -> F:
    """Compile a function of a game's rules, or of this module, keeping the machine code on disk."""
    return _compile(f, Path(inspect.getfile(f)).parent)


def _bind(f: F, module: types.ModuleType, **names: object) -> F:
    """Rebuild the loop `f` with names bound to a game's functions, and compile it.

    Numba serves neither closures nor functions passed as arguments from its disk cache; a plain function with
    its own globals and a qualified name of its own it does.
    """
    bound = types.FunctionType(f.__code__, {**f.__globals__, **names}, f.__name__)
    bound.__qualname__ = f"{f.__name__}__{module.__name__.replace('.', '_')}"
    bound.__module__ = f.__module__
    return cast(F, _compile(bound, Path(str(module.__file__)).parent))


# --- chance ------------------------------------------------------------------------------------------------


def chance(*words: object) -> npt.NDArray[np.int64]:
    """Return a generator for what `words` name, e.g. ``chance(seed, 'deck', 3)``: equal words, equal draws.

    Its state is two 32-bit words (xoroshiro64**, Blackman and Vigna 2018), seeded from their SHA-256.
    """
    digest = hashlib.sha256("/".join(map(str, words)).encode("utf-8", "surrogatepass")).digest()
    return np.array([int.from_bytes(digest[:4], "little") | 1, int.from_bytes(digest[4:8], "little")], np.int64)


@rule
def randbelow(rng: Any, n: int) -> int:
    """Draw a whole number from 0 to n - 1, each equally likely (Lemire 2019)."""
    while True:
        s0, s1 = int(rng[0]), int(rng[1])
        x = (s0 * 0x9E3779BB) & _MASK32
        x = ((((x << 5) | (x >> 27)) & _MASK32) * 5) & _MASK32
        s1 ^= s0
        rng[0] = (((s0 << 26) | (s0 >> 6)) & _MASK32) ^ s1 ^ ((s1 << 9) & _MASK32)
        rng[1] = ((s1 << 13) | (s1 >> 19)) & _MASK32
        product = x * n
        low = product & _MASK32
        if low >= n or low >= (0x100000000 - n) % n:
            return product >> 32


@rule
def shuffle(rng: Any, cards: Any, n: int) -> None:
    """Shuffle the first `n` entries of `cards` in place (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = randbelow(rng, i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held


# --- loops over any game: the capital names are bound to a game's functions --------------------------------


def _unbound(*_: Any) -> Any:
    raise NotImplementedError


DEAL = LEGAL = PLAY = SCORES = HIDDEN = REDEAL = WAITING = RESHUFFLE = RATE = _unbound


def deal_at(states: States, i: int, deck: Ints) -> None:
    DEAL(states[i], deck)


def legal_at(states: States, i: int, out: Ints) -> int:
    return int(LEGAL(states[i], out))


def play_at(states: States, i: int, move: int) -> None:
    PLAY(states[i], move)


def scores_at(states: States, i: int, out: npt.NDArray[np.float64]) -> None:
    SCORES(states[i], out)


def hidden_at(states: States, i: int, seat: int, out: Ints) -> int:
    return int(HIDDEN(states[i], seat, out))


def redeal_at(states: States, i: int, seat: int, rng: Any) -> None:
    REDEAL(states[i], seat, rng)


def waiting_at(states: States, i: int, out: Ints) -> int:
    return int(WAITING(states[i], out))


def reshuffle_at(states: States, i: int, order: Ints) -> None:
    RESHUFFLE(states[i], order)


def mask_at(states: States, i: int, mask: npt.NDArray[np.int8], buffer: Ints) -> int:
    mask[:] = 0
    n = LEGAL(states[i], buffer)
    for k in range(n):
        mask[buffer[k]] = 1
    return int(n)


def playout(states: States, i: int, rng: Any, buffer: Ints) -> int:
    """Play state `i` to its end with random legal moves; return the number of moves."""
    s = states[i]
    plies = 0
    while s.over == 0:
        if s.to_shuffle > 0:
            n = WAITING(s, buffer)
            shuffle(rng, buffer, n)
            RESHUFFLE(s, buffer[:n])
        else:
            n = LEGAL(s, buffer)
            PLAY(s, buffer[randbelow(rng, n)])
            plies += 1
    return plies


def playouts(states: States, games: int, rng: Any, deck: Ints, buffer: Ints) -> int:
    """Deal and play `games` random games in state 1, each from the blank state 0; return the number of moves."""
    plies = 0
    for _game in range(games):
        states[1] = states[0]
        shuffle(rng, deck, len(deck))
        DEAL(states[1], deck)
        plies += PLAYOUT(states, 1, rng, buffer)
    return plies


PLAYOUT = _unbound


def copies(states: States, k: int) -> None:
    """Copy state 0 to every other state in turn, `k` times in all."""
    n = len(states) - 1
    for j in range(k):
        states[1 + j % n] = states[0]


def best_at(states: States, i: int, rng: Any, buffer: Ints, ratings: Ints) -> int:
    """Return the legal move of state `i` that the game's policy rates highest, by lot among equals."""
    n = LEGAL(states[i], buffer)
    RATE(states[i], buffer, n, ratings)
    best, ties = 0, 0
    for k in range(n):
        if ties == 0 or ratings[k] > ratings[best]:
            best, ties = k, 1
        elif ratings[k] == ratings[best]:
            ties += 1
            if randbelow(rng, ties) == 0:
                best = k
    return int(buffer[best])


def contest(
    states: States, games: int, rng: Any, deck: Ints, buffer: Ints, ratings: Ints, seat: int, out: Any
) -> float:
    """Play `games` deals in state 1 with the policy in `seat` and random players in the others.

    Return the deals won by `seat`, a deal shared by k seats counting 1/k; `out` holds the scores meanwhile.
    """
    won = 0.0
    s = states[1]
    for _game in range(games):
        states[1] = states[0]
        shuffle(rng, deck, len(deck))
        DEAL(s, deck)
        while s.over == 0:
            if s.to_shuffle > 0:
                n = WAITING(s, buffer)
                shuffle(rng, buffer, n)
                RESHUFFLE(s, buffer[:n])
            elif s.seat == seat:
                PLAY(s, BEST_AT(states, 1, rng, buffer, ratings))
            else:
                n = LEGAL(s, buffer)
                PLAY(s, buffer[randbelow(rng, n)])
        SCORES(s, out)
        ahead, level = 0, 0
        for other in range(s.players):
            ahead += out[other] > out[seat]
            level += out[other] == out[seat]
        if ahead == 0:
            won += 1.0 / level
    return won


BEST_AT = _unbound


@rule
def _none_waiting(s: State, out: Any) -> int:
    return 0


@rule
def _no_reshuffle(s: State, order: Any) -> None:
    return


class Core:
    """A game's compiled functions, each taking ``(states, i, ...)``: state `i` of an array of states.

    Attributes
    ----------
    dtype : numpy.dtype
        The record of one state.
    moves : int
        Moves are numbered 0 to ``moves - 1``.
    buffer : int
        Length of the buffers that `legal_at`, `waiting_at` and `hidden_at` write to.
    """

    def __init__(self, rules: types.ModuleType, policy: types.ModuleType) -> None:
        self.rules = rules
        self.dtype: np.dtype[Any] = rules.STATE
        self.moves: int = rules.MOVES
        self.buffer = max(int(rules.MAX_LEGAL), 256)
        names: dict[str, Any] = {
            "DEAL": rules.deal, "LEGAL": rules.legal, "PLAY": rules.play, "SCORES": rules.scores,
            "HIDDEN": rules.hidden, "REDEAL": rules.redeal, "RATE": policy.rate,
            "WAITING": getattr(rules, "waiting", _none_waiting),
            "RESHUFFLE": getattr(rules, "reshuffle", _no_reshuffle),
        }  # fmt: skip

        def bound(f: F) -> F:
            return _bind(f, rules, **names)

        self.deal_at, self.legal_at, self.play_at = bound(deal_at), bound(legal_at), bound(play_at)
        self.scores_at, self.hidden_at, self.redeal_at = bound(scores_at), bound(hidden_at), bound(redeal_at)
        self.waiting_at, self.reshuffle_at = bound(waiting_at), bound(reshuffle_at)
        self.mask_at, self.best_at = bound(mask_at), bound(best_at)
        self.playout = bound(playout)
        names |= {"PLAYOUT": self.playout, "BEST_AT": self.best_at}
        self.playouts, self.copies, self.contest = bound(playouts), bound(copies), bound(contest)

    def blank(self, n: int = 1) -> States:
        """Return `n` blank states."""
        return np.zeros(n, self.dtype).view(np.recarray)

    @property
    def ready_file(self) -> Path:
        """The file that says this game's machine code is on disk."""
        return Path(_cache_dir(Path(str(self.rules.__file__)).parent)) / "ready"

    @property
    def ready(self) -> bool:
        """Whether the game can be played without compiling first."""
        disabled: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
        return disabled or self.ready_file.exists()

    def warm_up(self, blank: States, deck: Ints) -> None:
        """Compile everything (some seconds, once per installation) by running it once on a deal of `deck`.

        `blank` is a state with its players, dealer and options set.
        """
        states = self.blank(2)
        states[0] = blank[0]
        rng, out = chance("warm-up"), np.zeros(self.buffer, np.int32)
        self.copies(states, 1)
        self.deal_at(states, 1, deck)
        self.legal_at(states, 1, out)
        self.mask_at(states, 1, np.zeros(self.moves, np.int8), out)
        self.hidden_at(states, 1, 0, out)
        self.redeal_at(states, 1, 0, rng)
        self.play_at(states, 1, self.best_at(states, 1, rng, out, np.zeros_like(out)))
        self.playout(states, 1, rng, out)
        self.scores_at(states, 1, np.zeros(16))
        self.playouts(states, 1, rng, deck.copy(), out)
        self.contest(states, 1, rng, deck.copy(), out, np.zeros_like(out), 0, np.zeros(16))
        order = out[: self.waiting_at(states, 1, out)]
        if not len(order):  # only its compiled form is wanted
            order = np.zeros(0, np.int32)
        states[0] = states[1]
        self.reshuffle_at(states, 0, order)
        self.ready_file.touch()
