"""The reference: every public name is described."""

from __future__ import annotations

import inspect
import pkgutil
from types import ModuleType

import pytest

import ggp

MODULES = [module.name for module in pkgutil.iter_modules(ggp.__path__, "ggp.") if not module.name.startswith("ggp._")]


@pytest.mark.parametrize("name", ["ggp", *MODULES])
def test_public_names_are_described(name: str) -> None:
    module = pytest.importorskip(name)
    assert module.__doc__
    for public in getattr(module, "__all__", []):
        thing = getattr(module, public)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, f"{name}.{public}"
        if inspect.isclass(thing) and thing.__module__.startswith("ggp"):
            own = {key: value for key, value in vars(thing).items() if not key.startswith("_")}
            for key, value in own.items():
                if inspect.isfunction(value) or isinstance(value, property | classmethod):
                    assert inspect.getdoc(getattr(thing, key)), f"{name}.{public}.{key}"


def test_the_adapters_have_lists_of_public_names() -> None:
    for name in MODULES:
        module = pytest.importorskip(name)
        assert isinstance(module, ModuleType)
        if name not in ("ggp.batch", "ggp.game", "ggp.results", "ggp.errors", "ggp.gymnasium", "ggp.pettingzoo"):
            assert module.__all__, name
