"""Independent pieces of work, in this process or on the workers of an executor; what is finished is kept in a file.

`Game.match`, `Game.simulate` and `tournament` take `executor=` and `file=`; `run` does the same for work of your own. Any
`concurrent.futures.Executor` will do: a pool of processes, `Client.get_executor()` of Dask, or `ggp.ray.RayExecutor`. The
results do not depend on the executor, because seeds belong to tasks and not to workers.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from ggp._ggp import processor, version
from ggp.errors import BrokenPool, UsageError

__all__ = ["Progress", "run"]

_Task = TypeVar("_Task")

Progress = Callable[[int, int], object]
"""Called with the number of finished tasks and that of all tasks, first before the work begins."""


def run(
    function: Callable[[_Task], Any],
    tasks: Sequence[_Task],
    *,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    about: Mapping[str, Any] | None = None,
) -> list[Any]:
    """The results of a function for each task, in the order of the tasks.

    Args:
        function: called with a task. An executor of processes pickles it, so it is one of a module, or a
            `functools.partial` of one; a `Game` in it is loaded once in each process.
        executor: where tasks are done; by default in this process, one after the other.
        file: keeps the results of finished tasks, one a line, after a line with their provenance: the function, the settings,
            the version and the processor. If the file exists, the tasks in it are not done again, so
            that the same call goes on after an interrupt. Tasks and results are then values of JSON.
        progress: told of each finished task. By default a line on a terminal shows how many are finished.
        about: what the results in the file depend on besides the tasks. A file of other work is refused.

    Raises:
        BrokenPool: if the executor has lost its workers; what was finished is in the file.
        UsageError: if the file has the results of other work.
    """
    tasks = list(tasks)
    tell = _on_terminal if progress is None else progress
    with _kept(file, {"function": _name(function), **(about or {})}, tasks) as (results, keep):

        def finish(index: int, result: Any) -> None:
            results[index] = result
            keep(index, result)
            tell(len(results), len(tasks))

        tell(len(results), len(tasks))
        waiting = [index for index in range(len(tasks)) if index not in results]
        if executor is None:
            for index in waiting:
                finish(index, function(tasks[index]))
        else:
            _on_executor(executor, function, tasks, waiting, finish, file)
        return [results[index] for index in range(len(tasks))]


def _on_executor(
    executor: Executor,
    function: Callable[[_Task], Any],
    tasks: Sequence[_Task],
    waiting: Sequence[int],
    finish: Callable[[int, Any], None],
    file: str | os.PathLike[str] | None,
) -> None:
    futures: dict[Future[Any], int] = {}
    finished = len(tasks) - len(waiting)
    try:
        for index in waiting:
            futures[executor.submit(function, tasks[index])] = index
        for future in as_completed(futures):
            finish(futures[future], future.result())
            finished += 1
    except BrokenExecutor as error:
        where = "give `file=` to keep what is finished" if file is None else f"the same call goes on from {os.fspath(file)}"
        raise BrokenPool(f"the pool has lost its workers after {finished} of {len(tasks)} tasks; {where}") from error
    finally:
        for future in futures:
            future.cancel()


@contextmanager
def _kept(
    file: str | os.PathLike[str] | None, about: Mapping[str, Any], tasks: Sequence[object]
) -> Iterator[tuple[dict[int, Any], Callable[[int, Any], None]]]:
    """The results in a file by the index of their task, and a function that adds one."""
    if file is None:
        yield {}, lambda index, result: None
        return
    try:
        digest = hashlib.sha256(json.dumps(tasks).encode()).hexdigest()
        header = {"format": "results of ggp.tasks 1", **about, "tasks": len(tasks), "tasks_sha256": digest}
        header = {**json.loads(json.dumps(header)), "provenance": _provenance()}
    except TypeError as error:
        raise UsageError(f"the tasks of work that is kept in a file are values of JSON: {error}") from error
    with open(file, "a+", encoding="utf-8") as kept:
        results = _read(kept, Path(file), header)

        def keep(index: int, result: Any) -> None:
            try:
                line = json.dumps([index, result])
            except TypeError as error:
                raise UsageError(f"results that are kept in a file are values of JSON: {error}") from error
            kept.write(line + "\n")
            kept.flush()

        yield results, keep


def _read(kept: IO[str], path: Path, header: Mapping[str, Any]) -> dict[int, Any]:
    """The results of a file, which gets its header if it is new. A line that was not written to its end is cut off."""
    kept.seek(0)
    text = kept.read()
    whole = text[: text.rfind("\n") + 1]
    if len(whole) < len(text):
        kept.seek(0)
        kept.truncate(len(whole.encode()))
    lines = whole.splitlines()
    if not lines:
        kept.write(json.dumps(header) + "\n")
        kept.flush()
        return {}
    try:
        found = json.loads(lines[0])
        results = {index: result for index, result in map(json.loads, lines[1:])}
        if not isinstance(found, dict) or not all(type(index) is int for index in results):
            raise ValueError("a line is of another form")
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path} has no results of tasks: {error}") from error
    names = [name for name in {**header, **found} if name != "provenance" and found.get(name) != header.get(name)]
    if names:
        raise UsageError(f"{path} has results of other work, which differs in {', '.join(names)}: name another file")
    return results


def _provenance() -> dict[str, Any]:
    """What computes results besides the function and its tasks; the results of another version or machine may go on in the
    same file."""
    return {"version": version(), "python": platform.python_version(), "processor": processor(), "threads": os.cpu_count()}


def _name(function: Callable[..., Any]) -> str:
    """The name by which a file knows a function."""
    function = getattr(function, "func", function)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', '')}.{name}"


def _on_terminal(finished: int, tasks: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if finished == tasks else ""
        sys.stderr.write(f"\r{finished} of {tasks} tasks{end}")
        sys.stderr.flush()
