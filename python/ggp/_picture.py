"""Positions as pixels, for `render_mode` `"rgb_array"` and `"human"`: the SVG of a state, painted with pygame.

Pictures of positions consist of rectangles, polygons and texts, with classes whose style stands in a style sheet; so
this paints what they need and no more.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UsageError

if TYPE_CHECKING:
    import ggp

_RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)px")

Style = dict[str, str]

#: Pixels are painted this number of times as fine in both directions and then averaged, so that edges are smooth.
_FINE = 2


class Screen:
    """Renders states in the mode that an environment was made with.

    Args:
        title: of the window.
        mode: `"ansi"`, `"rgb_array"`, `"human"` or `None`; anything else is a `UsageError`.
        metadata: the environment's, with `render_modes` and `render_fps`.
    """

    def __init__(self, title: str, mode: str | None, metadata: dict[str, Any]) -> None:
        if mode is not None and mode not in metadata["render_modes"]:
            modes = ", ".join(map(repr, metadata["render_modes"]))
            raise UsageError(f"render_mode is {mode!r}; it must be None or one of {modes}")
        self._title = title
        self._mode = mode
        self._fps: float = metadata["render_fps"]
        self._window: Any = None

    def render(self, state: ggp.State) -> str | NDArray[np.uint8] | None:
        """The position as text or as pixels (uint8 `[H, W, 3]`); in the mode `"human"` it goes to the window.

        Raises:
            ImportError: the mode needs pygame, which is not installed.
        """
        if self._mode == "ansi":
            return state.board()
        if self._mode == "rgb_array":
            pygame = _pygame()
            pixels: NDArray[np.uint8] = pygame.surfarray.array3d(paint(state._repr_svg_()))
            return pixels.transpose(1, 0, 2).copy()
        if self._mode == "human":
            self._show(state)
        return None

    def _show(self, state: ggp.State) -> None:
        pygame = _pygame()
        picture = paint(state._repr_svg_())
        if self._window is None or self._window.get_size() != picture.get_size():
            pygame.display.init()
            self._window = pygame.display.set_mode(picture.get_size())
            pygame.display.set_caption(self._title)
        self._window.blit(picture, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        pygame.time.wait(int(1000 / self._fps))

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            _pygame().display.quit()
            self._window = None


def _pygame() -> ModuleType:
    try:
        import pygame
    except ImportError as error:
        raise ImportError("pictures need pygame: pip install pygame-ce") from error
    return pygame


def paint(svg: str) -> Any:
    """A `pygame.Surface` with the picture; a pixel for each unit of the SVG."""
    pygame = _pygame()
    pygame.font.init()
    root = ElementTree.fromstring(svg)
    size = (int(float(root.attrib["width"])), int(float(root.attrib["height"])))
    surface = pygame.Surface((_FINE * size[0], _FINE * size[1]), depth=24)
    surface.fill("#ffffff")
    rules: list[tuple[str, Style]] = []
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "style":
            rules += [(rule[0].strip(), _declarations(rule[1])) for rule in _RULE.findall(element.text or "")]
            continue
        style = _style(tag, element.attrib, rules)
        if tag == "rect":
            _rectangle(pygame, surface, element.attrib, style)
        elif tag == "polygon":
            _polygon(pygame, surface, element.attrib, style)
        elif tag == "text":
            _text(pygame, surface, element, style)
    return pygame.transform.smoothscale(surface, size)


def _declarations(text: str) -> Style:
    pairs = (part.split(":", 1) for part in text.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, value in pairs}


def _style(tag: str, attributes: dict[str, str], rules: list[tuple[str, Style]]) -> Style:
    """The style by the style sheet, the attributes and the attribute `style`; the later ones win."""
    classes = set(attributes.get("class", "").split())
    style: Style = {}
    for selector, declarations in rules:
        element, *wanted = selector.split(".")
        if element in ("", tag) and set(wanted) <= classes:
            style |= declarations
    style |= {name: attributes[name] for name in ("fill", "stroke") if name in attributes}
    return style | _declarations(attributes.get("style", ""))


def _shape(pygame: ModuleType, surface: Any, points: list[tuple[float, float]], style: Style) -> None:
    points = [(_FINE * x, _FINE * y) for x, y in points]
    fill, stroke = style.get("fill", "#000"), style.get("stroke", "none")
    if fill != "none":
        pygame.draw.polygon(surface, _colour(fill), points)
    if stroke != "none":
        pygame.draw.polygon(surface, _colour(stroke), points, width=_FINE)


def _rectangle(pygame: ModuleType, surface: Any, attributes: dict[str, str], style: Style) -> None:
    def length(name: str, whole: int) -> float:
        value = attributes.get(name, "0")
        return whole * float(value[:-1]) / 100 if value.endswith("%") else float(value)

    width, height = (side // _FINE for side in surface.get_size())
    left, top = length("x", width), length("y", height)
    right, bottom = left + length("width", width), top + length("height", height)
    _shape(pygame, surface, [(left, top), (right, top), (right, bottom), (left, bottom)], style)


def _polygon(pygame: ModuleType, surface: Any, attributes: dict[str, str], style: Style) -> None:
    numbers = [float(number) for number in re.split(r"[\s,]+", attributes["points"].strip())]
    _shape(pygame, surface, list(zip(numbers[::2], numbers[1::2], strict=True)), style)


def _text(pygame: ModuleType, surface: Any, element: ElementTree.Element, style: Style) -> None:
    size = _LENGTH.search(style.get("font-size", style.get("font", "13px")))
    font = pygame.font.Font(None, round(_FINE * (float(size[1]) * 1.3 if size else 17)))
    words = font.render("".join(element.itertext()), True, _colour(style.get("fill", "#000")))
    left = _FINE * float(element.attrib["x"])
    if style.get("text-anchor") == "middle":
        left -= words.get_width() / 2
    surface.blit(words, (left, _FINE * float(element.attrib["y"]) - font.get_ascent()))


def _colour(name: str) -> str:
    """A colour that pygame knows: it does not read `#rgb`."""
    return "#" + "".join(2 * digit for digit in name[1:]) if re.fullmatch(r"#[0-9a-fA-F]{3}", name) else name
