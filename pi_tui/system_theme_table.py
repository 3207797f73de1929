"""What the system theme is made of: the hues of its tokens, what lies behind each, and how far apart they are.

The curves were fitted once to what eyes tell apart; all else follows from them.
"""

from __future__ import annotations

from typing import Final

from pi_tui.appearance import Appearance
from pi_tui.frozen import frozen

NEUTRAL_SLOT: Final = 8


@frozen
class Family:
    """Tokens that share a hue: in OKHSL, with the range of its saturation, and in a slot of the palette."""

    hue: float
    least: float
    most: float
    slot: int
    tokens: str


@frozen
class Curve:
    """A polynomial, constant first, of a surface's OKLab lightness, which holds from `start` to `end`."""

    coefficients: tuple[float, ...]
    start: float
    end: float

    def at(self, lightness: float) -> float | None:
        """Return the lightness that stands out from a surface as it should; `None` where none does."""
        if not self.start <= lightness <= self.end:
            return None
        value = 0.0
        for coefficient in reversed(self.coefficients):
            value = value * lightness + coefficient
        return value


@frozen
class Level:
    """How far something stands out from what is behind it."""

    dark: Curve
    light: Curve

    def curve(self, appearance: Appearance) -> Curve:
        """Return the curve for a kind of terminal."""
        return self.dark if appearance == "dark" else self.light


@frozen
class Rule:
    """The level that tokens reach on every one of the surfaces; `""` is the terminal's background."""

    tokens: str
    surfaces: tuple[str, ...]
    level: str


FAMILIES: Final = (
    Family(
        231.49,
        0.02,
        0.08,
        8,
        "toolPendingBg text userMessageText customMessageText toolTitle syntaxOperator "
        "syntaxPunctuation muted dim thinkingText toolOutput mdLinkUrl mdQuote mdQuoteBorder "
        "mdHr mdCodeBlockBorder toolDiffContext syntaxComment scrollbarTrack scrollbarThumb "
        "searchMatchText borderMuted thinkingOff",
    ),
    Family(
        231.49,
        0.1,
        0.68,
        4,
        "selectedBg userMessageBg border mdLink syntaxKeyword",
    ),
    Family(
        158.68,
        0.1,
        0.76,
        2,
        "toolSuccessBg success mdCodeBlock toolDiffAdded bashMode syntaxNumber",
    ),
    Family(
        20.0,
        0.1,
        0.92,
        1,
        "toolErrorBg error toolDiffRemoved",
    ),
    Family(
        82.36,
        0.5,
        1.0,
        3,
        "warning mdHeading syntaxFunction",
    ),
    Family(
        52.0,
        0.12,
        0.85,
        3,
        "searchMatchBg syntaxString",
    ),
    Family(
        295.0,
        0.2,
        0.6,
        5,
        "customMessageBg accent borderAccent customMessageLabel mdCode mdListBullet syntaxType",
    ),
    Family(
        202.43,
        0.1,
        0.74,
        6,
        "syntaxVariable",
    ),
    Family(
        231.49,
        0.08,
        0.2,
        4,
        "thinkingMinimal",
    ),
    Family(
        231.49,
        0.2,
        0.45,
        4,
        "thinkingLow",
    ),
    Family(
        263.25,
        0.3,
        0.6,
        6,
        "thinkingMedium",
    ),
    Family(
        295.0,
        0.4,
        0.75,
        5,
        "thinkingHigh",
    ),
    Family(
        337.5,
        0.5,
        0.85,
        13,
        "thinkingXhigh",
    ),
    Family(
        20.0,
        0.95,
        1.0,
        1,
        "thinkingMax",
    ),
)

_BACKGROUND: Final = ("",)
_SELECTED: Final = ("selectedBg",)
_USER: Final = ("userMessageBg",)
_CUSTOM: Final = ("customMessageBg",)
_TOOLS: Final = ("toolPendingBg", "toolSuccessBg", "toolErrorBg")

# What is behind others comes before them.
RULES: Final = (
    Rule("selectedBg searchMatchBg userMessageBg customMessageBg", _BACKGROUND, "panel"),
    Rule("toolPendingBg toolSuccessBg toolErrorBg", _BACKGROUND, "panel"),
    Rule("scrollbarTrack", _BACKGROUND, "track"),
    Rule("scrollbarThumb", ("scrollbarTrack",), "thumb"),
    Rule("text", _BACKGROUND, "text"),
    Rule("text", _SELECTED, "textOnPanel"),
    Rule("userMessageText", _USER, "textOnPanel"),
    Rule("toolTitle", _TOOLS, "textOnPanel"),
    Rule("accent success error warning", _BACKGROUND + _SELECTED + _TOOLS, "readable"),
    Rule("muted", _BACKGROUND + _SELECTED + _CUSTOM + _TOOLS, "readable"),
    Rule("dim", _BACKGROUND + _SELECTED + _CUSTOM + _TOOLS, "subtle"),
    Rule("thinkingText bashMode border borderAccent", _BACKGROUND, "readable"),
    Rule("borderMuted", _BACKGROUND, "subtle"),
    Rule("customMessageText", _CUSTOM + _TOOLS, "readable"),
    Rule("customMessageLabel", _BACKGROUND + _CUSTOM + _SELECTED + _TOOLS, "readable"),
    Rule("toolOutput toolDiffAdded toolDiffRemoved toolDiffContext", _BACKGROUND + _TOOLS, "readable"),
    Rule("mdHeading mdLink mdLinkUrl mdCode", _BACKGROUND + _USER + _CUSTOM, "readable"),
    Rule("mdQuote mdCodeBlockBorder mdListBullet", _BACKGROUND + _USER + _CUSTOM, "readable"),
    Rule("mdCodeBlock mdQuoteBorder mdHr", _BACKGROUND + _USER + _CUSTOM + _TOOLS, "readable"),
    Rule("syntaxComment syntaxKeyword syntaxFunction", _BACKGROUND + _USER + _CUSTOM + _TOOLS, "readable"),
    Rule("syntaxVariable syntaxString syntaxNumber", _BACKGROUND + _USER + _CUSTOM + _TOOLS, "readable"),
    Rule("syntaxType syntaxOperator syntaxPunctuation", _BACKGROUND + _USER + _CUSTOM + _TOOLS, "readable"),
    Rule("searchMatchText", ("searchMatchBg",), "readable"),
    Rule("thinkingOff", _BACKGROUND, "thinking0"),
    Rule("thinkingMinimal", _BACKGROUND, "thinking1"),
    Rule("thinkingLow", _BACKGROUND, "thinking2"),
    Rule("thinkingMedium", _BACKGROUND, "thinking3"),
    Rule("thinkingHigh", _BACKGROUND, "thinking4"),
    Rule("thinkingXhigh", _BACKGROUND, "thinking5"),
    Rule("thinkingMax", _BACKGROUND, "thinking6"),
)  # fmt: skip

LEVELS: Final = {
    "panel": Level(
        Curve((0.29131, -0.39746, 2.33185, -0.85524, -1.2076, 0.86276), 0.0, 0.979),
        Curve((-3.74073, 27.94549, -78.44258, 112.6798, -79.60015, 22.11277), 0.348, 1.0),
    ),
    "track": Level(
        Curve((0.39028, -0.23015, 0.83573, 2.43829, -4.38292, 2.01582), 0.0, 0.946),
        Curve((-5.24921, 38.37322, -107.28833, 152.10005, -106.17127, 29.18061), 0.368, 1.0),
    ),
    "thinking0": Level(
        Curve((0.52988, -0.05809, -0.30924, 4.63567, -6.52933, 2.89108), 0.0, 0.873),
        Curve((-28.27749, 182.85284, -469.62416, 603.15916, -384.59976, 97.35147), 0.51, 1.0),
    ),
    "thinking1": Level(
        Curve((0.55278, -0.03667, -0.45659, 4.95347, -6.90265, 3.0706), 0.0, 0.858),
        Curve((-37.10484, 235.86282, -596.62344, 754.3633, -474.00763, 118.3551), 0.535, 1.0),
    ),
    "thinking2": Level(
        Curve((0.57486, -0.01765, -0.58987, 5.25227, -7.27175, 3.25532), 0.0, 0.842),
        Curve((-59.89653, 377.05024, -945.07843, 1182.03145, -734.96375, 181.68658), 0.556, 1.0),
    ),
    "thinking3": Level(
        Curve((0.59621, -0.00062, -0.71148, 5.53588, -7.6392, 3.44606), 0.0, 0.827),
        Curve((-72.07122, 445.84082, -1099.57352, 1353.88793, -829.53392, 202.26164), 0.58, 1.0),
    ),
    "thinking4": Level(
        Curve((0.61691, 0.01462, -0.82288, 5.80651, -8.00641, 3.64333), 0.0, 0.811),
        Curve((-110.14338, 674.21488, -1645.75941, 2004.32367, -1215.15899, 293.3183), 0.6, 1.0),
    ),
    "thinking5": Level(
        Curve((0.63702, 0.02826, -0.92498, 6.06465, -8.37246, 3.84651), 0.0, 0.795),
        Curve((-175.47701, 1063.54495, -2570.70594, 3098.80776, -1860.15527, 444.76392), 0.62, 1.0),
    ),
    "thinking6": Level(
        Curve((0.65658, 0.04044, -1.01835, 6.30989, -8.73529, 4.05439), 0.0, 0.779),
        Curve(
            (-183.81712, 1094.70055, -2602.68539, 3088.71276, -1826.91131, 430.75931), 0.643, 1.0
        ),
    ),
    "subtle": Level(
        Curve((0.56762, -0.02475, -0.5383, 5.12628, -7.10931, 3.17324), 0.0, 0.848),
        Curve(
            (-232.85459, 1376.54473, -3249.11801, 3827.91186, -2248.29472, 526.55751), 0.657, 1.0
        ),
    ),
    "thumb": Level(
        Curve((0.60323, 0.00278, -0.73328, 5.57157, -7.68067, 3.46933), 0.0, 0.823),
        Curve((-82.89897, 511.01355, -1255.98095, 1540.76821, -940.68087, 228.58523), 0.586, 1.0),
    ),
    "readable": Level(
        Curve((0.66937, 0.04704, -1.06871, 6.43941, -8.9332, 4.17229), 0.0, 0.77),
        Curve(
            (-1554.52576, 8733.56817, -19604.93507, 21977.72696, -12300.99599, 2749.81288),
            0.751,
            1.0,
        ),
    ),
    "emphasis": Level(
        Curve((0.7303, 0.07695, -1.31626, 7.1681, -10.14436, 4.92846), 0.0, 0.712),
        Curve(
            (-4948.31942, 26870.91986, -58334.48399, 63280.17197, -34298.01053, 7430.30146),
            0.811,
            1.0,
        ),
    ),
    "textOnPanel": Level(
        Curve((0.86713, 0.05232, -0.89428, 4.79014, -5.5432, 1.75023), 0.0, 0.542),
        Curve(
            (-8570.89457, 43954.60805, -90084.00702, 92220.6791, -47152.15802, 9632.27113),
            0.867,
            1.0,
        ),
    ),
    "text": Level(
        Curve((0.89242, 0.02311, -0.44862, 2.34417, -0.06084, -2.63844), 0.0, 0.5),
        Curve(
            (-2004.67048, 6664.47299, -6060.70202, -1792.61209, 5133.82359, -1939.85583), 0.894, 1.0
        ),
    ),
}

# Where only the palette is known to be there: instead of the slots of the families.
BLIND_SLOTS: Final = {"syntaxString": 2, "syntaxNumber": 5, "searchMatchBg": 3}
# Text that is read most: it may be the terminal's own.
PLAIN_TEXTS: Final = ("text", "userMessageText", "toolTitle")
