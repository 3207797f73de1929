"""The `system` theme: every colour follows from those of the terminal, and can be told from what is behind it.

Lightness is decided by the rules of `system_theme_table`, hue and saturation by the palette, where it is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from pi_tui.appearance import Appearance, appearance_from_colorfgbg, appearance_from_colors
from pi_tui.colors import (
    Color,
    ColorMode,
    color_to_okhsl,
    color_to_oklch,
    contrast_ratio,
    indexed_color,
    mix_colors,
    okhsl_color,
    oklch_color,
    rgb_color,
)
from pi_tui.frozen import frozen, slotted
from pi_tui.oklab import toe
from pi_tui.system_theme_table import (
    BLIND_SLOTS,
    FAMILIES,
    LEVELS,
    NEUTRAL_SLOT,
    PLAIN_TEXTS,
    RULES,
    Family,
    Rule,
)
from pi_tui.theme import Theme
from pi_tui.theme_tokens import THEME_TOKENS

SYSTEM_THEME = "system"

_READABLE_CONTRAST = 4.5
_BISECTIONS = 20
_FAMILY_OF = {token: family for family in FAMILIES for token in family.tokens.split()}
_FAINT = frozenset(
    token
    for token, family in _FAMILY_OF.items()
    if family.slot == NEUTRAL_SLOT and token not in PLAIN_TEXTS and THEME_TOKENS[token].slot == "fg"
)
_ENDS: Mapping[Appearance, Color] = {
    "dark": rgb_color(255, 255, 255),
    "light": rgb_color(0, 0, 0),
}
_FLOORS: Mapping[Appearance, str] = {"dark": "readable", "light": "subtle"}


@frozen
class SystemColors:
    """The terminal's colours, as far as it has told them: the palette is all of its first sixteen, or none."""

    background: Color | None = None
    foreground: Color | None = None
    palette: Sequence[Color] | None = None


def theme_from_colors(
    colors: SystemColors,
    color_mode: ColorMode,
    *,
    saturation: float = 1.0,
    reported: Appearance | None = None,
    colorfgbg: str = "",
) -> Theme:
    """Return the theme for a terminal; a `saturation` of 0 leaves all in grays.

    Of a terminal that says nothing of its background, `reported` and `colorfgbg` tell dark from light.
    """
    tokens, faint, appearance = system_tokens(
        colors, saturation, reported=reported, colorfgbg=colorfgbg
    )
    return Theme(
        SYSTEM_THEME,
        appearance,
        tokens,
        color_mode,
        faint=faint,
        default_foreground=colors.foreground,
        default_background=colors.background,
    )


def system_tokens(
    colors: SystemColors,
    saturation: float = 1.0,
    *,
    reported: Appearance | None = None,
    colorfgbg: str = "",
) -> tuple[dict[str, Color | None], frozenset[str], Appearance]:
    """Return the colour of every token, `None` for the terminal's own; the faint ones; dark or light."""
    if colors.background is None:
        appearance = reported or appearance_from_colorfgbg(colorfgbg) or "dark"
        return _blind_tokens(saturation), _FAINT, appearance
    appearance = appearance_from_colors(colors.background, colors.foreground)
    solver = _Solver(colors, colors.background, appearance, saturation)
    return solver.solve(), frozenset(), appearance


def _blind_tokens(saturation: float) -> dict[str, Color | None]:
    """Return what is safe on any background: colours of the palette, whatever they are, and no panels."""
    tokens: dict[str, Color | None] = {}
    for token, family in _FAMILY_OF.items():
        slot: int | None = BLIND_SLOTS.get(token)
        is_own = family.slot == NEUTRAL_SLOT or THEME_TOKENS[token].slot == "bg"
        if slot is None and not is_own:
            slot = family.slot
        tokens[token] = indexed_color(slot) if slot is not None and saturation else None
    return tokens


@slotted
class _Solver:
    """Finds the colours of all tokens for a background."""

    colors: SystemColors
    background: Color
    appearance: Appearance
    saturation: float
    _found: dict[str, Color] = field(default_factory=dict)

    def solve(self) -> dict[str, Color | None]:
        """Return the colours; `None` is the terminal's own."""
        self._found = {"": self.background}
        rules: dict[str, list[Rule]] = {}
        for rule in RULES:
            for token in rule.tokens.split():
                rules.setdefault(token, []).append(rule)
        tokens: dict[str, Color | None] = {}
        for token, of_token in rules.items():
            color = self._color(_FAMILY_OF[token], self._lightness(of_token))
            if THEME_TOKENS[token].slot == "bg":
                color = self._under_text(color)
            self._found[token] = color
            tokens[token] = self._plain(token, of_token) if token in PLAIN_TEXTS else color
        return tokens

    # How light

    def _lightness(self, rules: Sequence[Rule]) -> float:
        """Return the OKLab lightness at which all rules hold, or as much of them as can."""
        distances = [
            self._distance(surface, rule.level) for rule in rules for surface in rule.surfaces
        ]

        def wanted(relaxed: float) -> float:
            values = [surface + _relaxed(far, floor, relaxed) for surface, far, floor in distances]
            return max(values) if self.appearance == "dark" else min(values)

        if 0 <= wanted(0) <= 1:
            return wanted(0)
        return wanted(_least(lambda relaxed: 0 <= wanted(2 * relaxed) <= 1) * 2)

    def _distance(self, surface: str, level: str) -> tuple[float, float, float]:
        """Return the lightness of a surface, how far it is to a level, and to the lowest that can be read."""
        lightness = color_to_oklch(self._found[surface])[0]
        end = 1.0 if self.appearance == "dark" else 0.0

        def far(name: str) -> float:
            value = LEVELS[name].curve(self.appearance).at(lightness)
            return (end if value is None else value) - lightness

        return lightness, far(level), far(_FLOORS[self.appearance])

    # Which colour

    def _color(self, family: Family, lightness: float) -> Color:
        palette = self.colors.palette
        return self._shade(family, lightness, None if palette is None else palette[family.slot])

    def _shade(self, family: Family, lightness: float, source: Color | None) -> Color:
        """Return the colour of a family at a lightness, in the hue of `source` if there is one."""
        light = min(max(toe(lightness), 0.0), 1.0)
        if source is None:
            saturation = family.least + (family.most - family.least) * _bell(light)
            return okhsl_color(family.hue, saturation * self.saturation, light)
        hue, own, own_light = color_to_okhsl(source)
        rest = family.least / family.most
        curve_here, curve_there = (rest + (1 - rest) * _bell(at) for at in (light, own_light))
        falloff = min(1.0, curve_here / curve_there) * self.saturation
        color = okhsl_color(hue, own * falloff, light)
        most = color_to_oklch(source)[1] * falloff
        shown, chroma, its_hue = color_to_oklch(color)
        return oklch_color(shown, most, its_hue) if chroma > most else color

    def _under_text(self, panel: Color) -> Color:
        """Return a panel on which white, or black, can be read: nearer to the background if need be."""

        def at(share: float) -> Color:
            return mix_colors(panel, self.background, share)

        def is_readable(share: float) -> bool:
            return contrast_ratio(_ENDS[self.appearance], at(share)) >= _READABLE_CONTRAST

        return panel if is_readable(0) else at(_least(is_readable))

    def _plain(self, token: str, rules: Sequence[Rule]) -> Color | None:
        """Return the colour of plain text: the terminal's own, if it stands out enough, else one like it."""
        surfaces = [surface for rule in rules for surface in rule.surfaces]
        color = self._found[token]
        foreground = self.colors.foreground
        if foreground is not None:
            emphasis = self._lightness([Rule(token, tuple(surfaces), "emphasis")])
            own = color_to_oklch(foreground)[0]
            is_dark = self.appearance == "dark"
            is_enough = own >= emphasis if is_dark else own <= emphasis
            if not is_enough:
                color = self._shade(_FAMILY_OF[token], emphasis, foreground)
            elif self._is_readable(foreground, surfaces):
                return None
            else:
                color = foreground
        self._found[token] = color = self._to_the_end(color, surfaces)
        return color

    def _to_the_end(self, color: Color, surfaces: Sequence[str]) -> Color:
        """Return a colour nearer to white or black, until it can be read on every surface."""

        def at(share: float) -> Color:
            return mix_colors(color, _ENDS[self.appearance], share)

        if self._is_readable(color, surfaces):
            return color
        return at(_least(lambda share: self._is_readable(at(share), surfaces)))

    def _is_readable(self, color: Color, surfaces: Sequence[str]) -> bool:
        return all(
            contrast_ratio(color, self._found[surface]) >= _READABLE_CONTRAST
            for surface in surfaces
        )


def _relaxed(far: float, floor: float, relaxed: float) -> float:
    """Return a distance that shrinks to the floor's while `relaxed` goes to 1, and to nothing at 2."""
    if relaxed <= 1:
        return far if abs(far) <= abs(floor) else far + (floor - far) * relaxed
    nearest = far if abs(far) <= abs(floor) else floor
    return nearest * (2 - relaxed)


def _least(holds: Callable[[float], bool]) -> float:
    """Return the smallest share, 0 to 1, from which on something holds; 1 if it never does."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _bell(lightness: float) -> float:
    """Return how much colour there can be at an OKHSL lightness: all in the middle, none at the ends."""
    at_end = math.exp(-(0.5**2) / 0.125)
    return (math.exp(-((lightness - 0.5) ** 2) / 0.125) - at_end) / (1 - at_end)
