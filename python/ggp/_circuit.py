"""The network of a game as a sequence of bitwise operations on arrays of any library.

A word has one bit for each of 32 games, so that `&`, `|` and `~` of two arrays of words compute a gate in many games. The
operators are those of the arrays, so the same sequence is traced by JAX, and computed or compiled by torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ggp._ggp import RawGame
from ggp.errors import LimitReached

LANES = 32
"""The number of games of a word."""

Fixpoint = Callable[[Callable[[list[Any]], list[Any]], list[Any]], list[Any]]
"""Repeats a function on words until it changes none of them."""


@dataclass(frozen=True)
class Circuit:
    """The gates of a game. A wire is twice the number of its signal, plus 1 if it is negated; the signals are the bits of
    the state, the moves of all roles, and the gates, each after its inputs, except within a cycle."""

    bits: int
    moves: list[int]
    """The number of moves of each role."""
    conjunctions: list[bool]
    """For each gate, true for a conjunction, false for a disjunction."""
    ends: list[int]
    """For each gate the end of its inputs, which begin where those of the gate before end."""
    inputs: list[int]
    cycles: list[tuple[int, int]]
    """The first gate of each cycle, and the one after its last. Its signals are the least fixpoint."""
    initial: list[int]
    """The bits that are set at the beginning."""
    fluents: list[int]
    """For each fluent, the wire that is true where it holds."""
    next: list[int]
    """For each bit, its wire in the next state."""
    legal: list[tuple[int, int]]
    """For each move, two wires that are both true where it is legal."""
    goals: list[tuple[int, float | None, int]]
    """For each goal value its role, its utility if it has one, and its wire."""
    terminal: int

    @classmethod
    def of(cls, game: RawGame, most_gates: int) -> Circuit:
        """The circuit of a game.

        Raises:
            LimitReached: if it has more gates.
            NoNetwork: if the game has no network.
        """
        circuit = cls(**game.circuit())
        if circuit.gates > most_gates:
            raise LimitReached(
                f"{game.name} has {circuit.gates:,} gates, and a function of at most {most_gates:,} was asked for; compiling "
                "takes longer with each: pass a greater `most_gates`, or use `BatchEnv`"
            )
        return circuit

    @property
    def gates(self) -> int:
        """The number of gates."""
        return len(self.conjunctions)

    @cached_property
    def first_gate(self) -> int:
        """The signal of the first gate."""
        return self.bits + sum(self.moves)

    def evaluate(self, words: Sequence[Any], wires: Iterable[int], zero: Any, fixpoint: Fixpoint) -> list[Any]:
        """The words of wires.

        Args:
            words: those of the bits, and, if a wire depends on them, of the moves.
            wires: what is wanted; gates on which none of them depends are left out.
            zero: a word of zeros.
        """
        wires = list(wires)
        signals: dict[int, Any] = dict(enumerate(words))
        cycle_of = {first: end for first, end in self.cycles}
        needed = self._needed(wires)
        gate = 0
        while gate < self.gates:
            end = cycle_of.get(gate)
            if end is not None:
                if not needed.isdisjoint(range(gate, end)):
                    self._evaluate_cycle(gate, end, signals, zero, fixpoint)
                gate = end
                continue
            if gate in needed:
                signals[self.first_gate + gate] = self._gate(gate, signals, zero)
            gate += 1
        return [_read(signals, wire) for wire in wires]

    def _evaluate_cycle(self, first: int, end: int, signals: dict[int, Any], zero: Any, fixpoint: Fixpoint) -> None:
        names = range(self.first_gate + first, self.first_gate + end)

        def step(words: list[Any]) -> list[Any]:
            known = {**signals, **dict(zip(names, words, strict=True))}
            for gate in range(first, end):
                known[self.first_gate + gate] = self._gate(gate, known, zero)
            return [known[name] for name in names]

        signals.update(zip(names, fixpoint(step, [zero] * len(names)), strict=True))

    def _gate(self, gate: int, signals: dict[int, Any], zero: Any) -> Any:
        is_conjunction, word = self.conjunctions[gate], None
        for wire in self._inputs(gate):
            read = _read(signals, wire)
            word = read if word is None else word & read if is_conjunction else word | read
        if word is None:
            return ~zero if is_conjunction else zero
        return word

    def _inputs(self, gate: int) -> list[int]:
        return self.inputs[self.ends[gate - 1] if gate else 0 : self.ends[gate]]

    def _needed(self, wires: Iterable[int]) -> set[int]:
        """The gates on which wires depend."""
        cycles = {gate: range(first, end) for first, end in self.cycles for gate in range(first, end)}
        needed: set[int] = set()
        waiting = [wire // 2 - self.first_gate for wire in wires]
        while waiting:
            gate = waiting.pop()
            if gate < 0 or gate in needed:
                continue
            needed.update(cycles.get(gate, (gate,)))
            for each in cycles.get(gate, (gate,)):
                waiting.extend(wire // 2 - self.first_gate for wire in self._inputs(each))
        return needed


def _read(signals: dict[int, Any], wire: int) -> Any:
    word = signals[wire // 2]
    return ~word if wire % 2 else word
