"""Ray: its cluster as an executor (`pip install ggp[ray]`).

    >>> import ggp, ggp.ray                                                  # doctest: +SKIP
    >>> with ggp.ray.RayExecutor() as executor:                              # doctest: +SKIP
    ...     ggp.load("connect_four").match(["mcts", "random"], games=10_000, executor=executor, file="games.jsonl")
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

import ray

__all__ = ["RayExecutor"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _call(function: Callable[..., _T], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> _T:
    return function(*arguments, **keywords)


class RayExecutor(Executor):
    """The workers of the Ray cluster that `ray.init` has connected to; without a call of it, those of this machine.

    Ray does the tasks of a killed worker again, as often as is needed.

    Args:
        options: what each task needs, as Ray names it, such as `num_cpus=2` or `resources={"lab": 1}`.
    """

    def __init__(self, **options: Any) -> None:
        if not ray.is_initialized():
            ray.init()
        self._remote: Any = ray.remote(_call).options(**{"max_retries": -1, **options})
        self._functions: dict[int, tuple[Callable[..., Any], Any]] = {}
        self._is_shut_down = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Calls a function on a worker. A function is sent once to each machine, however many its calls are."""
        if self._is_shut_down:
            raise RuntimeError("the executor has been shut down")
        if id(fn) not in self._functions:
            self._functions[id(fn)] = (fn, ray.put(fn))
        future: Future[_T] = self._remote.remote(self._functions[id(fn)][1], args, kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no further calls. The cluster stays as it is."""
        self._is_shut_down = True
        self._functions.clear()
