"""Environments that one thread at a time may use: a call of a second thread is refused while the first works, instead of
being mixed with its step."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ggp.errors import InUse


class OneThread:
    """The base of such environments. A thread may call methods within methods."""

    def __init__(self) -> None:
        self.in_use = threading.RLock()


_Method = TypeVar("_Method", bound=Callable[..., Any])


def exclusive(method: _Method) -> _Method:
    """The method of a `OneThread`, which raises `InUse` while another thread is in one of the environment."""

    @functools.wraps(method)
    def alone(env: OneThread, *args: Any, **kwargs: Any) -> Any:
        if not env.in_use.acquire(blocking=False):
            raise InUse("another thread is using this environment: each thread needs one of its own")
        try:
            return method(env, *args, **kwargs)
        finally:
            env.in_use.release()

    return cast(_Method, alone)
