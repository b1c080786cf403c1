"""Environments that one thread at a time may use: a call of a second thread is refused while the first works, instead of
being mixed with its step."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from ggp.errors import InUse


class OneThread:
    """The base of such environments. A thread may call methods within methods."""

    def __init__(self) -> None:
        self.in_use = threading.RLock()


_Env = TypeVar("_Env", bound=OneThread)
_P = ParamSpec("_P")
_T = TypeVar("_T")


def exclusive(method: Callable[Concatenate[_Env, _P], _T]) -> Callable[Concatenate[_Env, _P], _T]:
    """The method, which raises `InUse` while another thread is in one of the environment."""

    @functools.wraps(method)
    def alone(env: _Env, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not env.in_use.acquire(blocking=False):
            raise InUse("another thread is using this environment: each thread needs one of its own")
        try:
            return method(env, *args, **kwargs)
        finally:
            env.in_use.release()

    return alone
