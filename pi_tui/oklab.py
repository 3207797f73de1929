"""Convert between sRGB, OKLab, OKLCH and OKHSL.

Channels of sRGB, lightness and saturation run from 0 to 1, hues are degrees. The matrices and the fitted
constants are those of Björn Ottosson's articles <https://bottosson.github.io/posts/oklab/> and
<https://bottosson.github.io/posts/colorpicker/>; the shape of the gamut is found by one Halley step.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

Triple = tuple[float, float, float]

# Below this a chroma is rounding noise, and the hue that goes with it means nothing.
ACHROMATIC = 1e-7

# Closer to black or white than this there is no room for colour, and the formulas divide by nothing.
_END_OF_RANGE = 1e-6

_GAMUT_TOLERANCE = 1e-7
_CHROMA_STEPS = 20

_RED_ROW = (4.0767416621, -3.3077115913, 0.2309699292)
_GREEN_ROW = (-1.2684380046, 2.6097574011, -0.3413193965)
_BLUE_ROW = (-0.0041960863, -0.7034186147, 1.7076147010)

# Where the first channel leaves the gamut: a start value as a polynomial in a and b.
_RED_START = (1.19086277, 1.76576728, 0.59662641, 0.75515197, 0.56771245)
_GREEN_START = (0.73956515, -0.45954404, 0.08285427, 0.12541070, 0.14503204)
_BLUE_START = (1.35733652, -0.00915799, -1.15130210, -0.50559606, 0.00692167)

_TOE_1 = 0.206
_TOE_2 = 0.03
_TOE_3 = (1 + _TOE_1) / (1 + _TOE_2)
_MID_SATURATION = 0.8


def srgb_to_linear(channel: float) -> float:
    """Undo the transfer curve of one sRGB channel."""
    if channel <= 0.04045:
        return channel / 12.92
    return float(((channel + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(channel: float) -> float:
    """Apply the transfer curve of sRGB to one linear channel."""
    if channel <= 0.0031308:
        return 12.92 * channel
    return float(1.055 * channel ** (1 / 2.4) - 0.055)


def srgb_to_oklab(red: float, green: float, blue: float) -> Triple:
    """Return L, a and b of an sRGB colour."""
    r, g, b = srgb_to_linear(red), srgb_to_linear(green), srgb_to_linear(blue)
    long = _cube_root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = _cube_root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = _cube_root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def srgb_to_oklch(red: float, green: float, blue: float) -> Triple:
    """Return lightness, chroma and hue of an sRGB colour; the hue of a gray is 0."""
    lightness, a, b = srgb_to_oklab(red, green, blue)
    chroma = hypot(a, b)
    if chroma < ACHROMATIC:
        return lightness, 0.0, 0.0
    return lightness, chroma, degrees(atan2(b, a)) % 360


def oklch_to_srgb(lightness: float, chroma: float, hue: float) -> Triple:
    """Return the sRGB colour, within 0 to 1; chroma the screen cannot show is lowered, the rest is kept."""
    a, b = cos(radians(hue)), sin(radians(hue))
    linear = _oklab_to_linear(lightness, chroma * a, chroma * b)
    if not _is_displayable(linear):
        low, high = 0.0, chroma
        for _ in range(_CHROMA_STEPS):
            middle = (low + high) / 2
            if _is_displayable(_oklab_to_linear(lightness, middle * a, middle * b)):
                low = middle
            else:
                high = middle
        linear = _oklab_to_linear(lightness, low * a, low * b)
    return _to_clipped_srgb(linear)


def okhsl_to_srgb(hue: float, saturation: float, lightness: float) -> Triple:
    """Return the sRGB colour, within 0 to 1, of a hue, a saturation and a lightness."""
    if lightness < _END_OF_RANGE:
        return 0.0, 0.0, 0.0
    if lightness > 1 - _END_OF_RANGE:
        return 1.0, 1.0, 1.0
    a, b = cos(radians(hue)), sin(radians(hue))
    oklab_lightness = _toe_inverse(lightness)
    chroma = _chroma_at(saturation, _chroma_marks(oklab_lightness, a, b))
    return _to_clipped_srgb(_oklab_to_linear(oklab_lightness, chroma * a, chroma * b))


def srgb_to_okhsl(red: float, green: float, blue: float) -> Triple:
    """Return hue, saturation and lightness of an sRGB colour; the hue of a gray is 0."""
    oklab_lightness, a, b = srgb_to_oklab(red, green, blue)
    chroma = hypot(a, b)
    lightness = min(max(toe(oklab_lightness), 0.0), 1.0)
    if chroma < ACHROMATIC or not _END_OF_RANGE < lightness < 1 - _END_OF_RANGE:
        return 0.0, 0.0, lightness
    marks = _chroma_marks(oklab_lightness, a / chroma, b / chroma)
    saturation = min(max(_saturation_at(chroma, marks), 0.0), 1.0)
    return degrees(atan2(b, a)) % 360, saturation, lightness


def toe(lightness: float) -> float:
    """Return the OKHSL lightness of an OKLab one."""
    shifted = _TOE_3 * lightness - _TOE_1
    return 0.5 * (shifted + sqrt(shifted * shifted + 4 * _TOE_2 * _TOE_3 * lightness))


def _cube_root(value: float) -> float:
    return float(value ** (1 / 3)) if value >= 0 else -float((-value) ** (1 / 3))


def _oklab_to_linear(lightness: float, a: float, b: float) -> Triple:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _RED_ROW[0] * long + _RED_ROW[1] * medium + _RED_ROW[2] * short,
        _GREEN_ROW[0] * long + _GREEN_ROW[1] * medium + _GREEN_ROW[2] * short,
        _BLUE_ROW[0] * long + _BLUE_ROW[1] * medium + _BLUE_ROW[2] * short,
    )


def _is_displayable(linear: Triple) -> bool:
    return min(linear) >= -_GAMUT_TOLERANCE and max(linear) <= 1 + _GAMUT_TOLERANCE


def _to_clipped_srgb(linear: Triple) -> Triple:
    red, green, blue = (linear_to_srgb(min(max(channel, 0.0), 1.0)) for channel in linear)
    return red, green, blue


def _toe_inverse(lightness: float) -> float:
    return (lightness * lightness + _TOE_1 * lightness) / (_TOE_3 * (lightness + _TOE_2))


def _cone_slopes(a: float, b: float) -> Triple:
    """How fast the three cone responses (before cubing) grow with chroma in direction `a`, `b`."""
    return (
        0.3963377774 * a + 0.2158037573 * b,
        -0.1055613458 * a - 0.0638541728 * b,
        -0.0894841775 * a - 1.2914855480 * b,
    )


def _max_saturation(a: float, b: float) -> float:
    """The largest chroma per lightness in direction `a`, `b`: there one linear channel becomes 0."""
    if -1.88170328 * a - 0.80936493 * b > 1:
        start, row = _RED_START, _RED_ROW
    elif 1.81444104 * a - 1.19445276 * b > 1:
        start, row = _GREEN_START, _GREEN_ROW
    else:
        start, row = _BLUE_START, _BLUE_ROW
    saturation = start[0] + start[1] * a + start[2] * b + start[3] * a * a + start[4] * a * b
    value = first = second = 0.0
    for weight, slope in zip(row, _cone_slopes(a, b), strict=True):
        cone = 1 + saturation * slope
        value += weight * cone * cone * cone
        first += weight * 3 * slope * cone * cone
        second += weight * 6 * slope * slope * cone
    return saturation - value * first / (first * first - 0.5 * value * second)


@lru_cache(maxsize=512)
def _cusp(a: float, b: float) -> tuple[float, float]:
    """Lightness and chroma of the most colourful displayable colour in direction `a`, `b`."""
    saturation = _max_saturation(a, b)
    brightest = max(_oklab_to_linear(1.0, saturation * a, saturation * b))
    lightness = _cube_root(1 / brightest)
    return lightness, lightness * saturation


def _max_chroma(lightness: float, a: float, b: float) -> float:
    """The largest displayable chroma at `lightness` in direction `a`, `b`."""
    cusp_lightness, cusp_chroma = _cusp(a, b)
    if lightness <= cusp_lightness:
        return cusp_chroma * lightness / cusp_lightness
    chroma = cusp_chroma * (lightness - 1) / (cusp_lightness - 1)
    slopes = _cone_slopes(a, b)
    cones = [lightness + chroma * slope for slope in slopes]
    steps = []
    for row in (_RED_ROW, _GREEN_ROW, _BLUE_ROW):
        value, first, second = -1.0, 0.0, 0.0
        for weight, slope, cone in zip(row, slopes, cones, strict=True):
            value += weight * cone * cone * cone
            first += weight * 3 * slope * cone * cone
            second += weight * 6 * slope * slope * cone
        newton = first / (first * first - 0.5 * value * second)
        if newton >= 0:
            steps.append(-value * newton)
    return chroma + min(steps, default=0.0)


def _chroma_marks(lightness: float, a: float, b: float) -> Triple:
    """The chroma at saturation 0 (as a slope), at the mid point, and at 1."""
    cusp_lightness, cusp_chroma = _cusp(a, b)
    most = _max_chroma(lightness, a, b)
    triangle = min(
        lightness * cusp_chroma / cusp_lightness,
        (1 - lightness) * cusp_chroma / (1 - cusp_lightness),
    )
    rising = lightness * _mid_rise(a, b)
    falling = (1 - lightness) * _mid_fall(a, b)
    middle = 0.9 * (most / triangle) * (1 / (1 / rising**4 + 1 / falling**4)) ** 0.25
    start = sqrt(1 / (1 / (lightness * 0.4) ** 2 + 1 / ((1 - lightness) * 0.8) ** 2))
    return start, middle, most


def _mid_rise(a: float, b: float) -> float:
    inner = -4.24894561 + 5.38770819 * b + 4.69891013 * a
    inner = -2.13704948 - 10.02301043 * b + a * inner
    inner = -2.19557347 + 1.75198401 * b + a * inner
    return 0.11516993 + 1 / (7.44778970 + 4.15901240 * b + a * inner)


def _mid_fall(a: float, b: float) -> float:
    inner = 0.00299215 - 0.45399568 * b - 0.14661872 * a
    inner = -0.27087943 + 0.61223990 * b + a * inner
    inner = 0.40370612 + 0.90148123 * b + a * inner
    return 0.11239642 + 1 / (1.61320320 - 0.68124379 * b + a * inner)


def _lower_curve(start: float, middle: float) -> tuple[float, float]:
    slope = _MID_SATURATION * start
    return slope, 1 - slope / middle


def _upper_curve(start: float, middle: float, most: float) -> tuple[float, float]:
    slope = (1 - _MID_SATURATION) * (middle / _MID_SATURATION) ** 2 / start
    return slope, 1 - slope / (most - middle)


def _chroma_at(saturation: float, marks: Triple) -> float:
    start, middle, most = marks
    if saturation < _MID_SATURATION:
        part = saturation / _MID_SATURATION
        slope, bend = _lower_curve(start, middle)
        return part * slope / (1 - bend * part)
    part = (saturation - _MID_SATURATION) / (1 - _MID_SATURATION)
    slope, bend = _upper_curve(start, middle, most)
    return middle + part * slope / (1 - bend * part)


def _saturation_at(chroma: float, marks: Triple) -> float:
    start, middle, most = marks
    if chroma < middle:
        slope, bend = _lower_curve(start, middle)
        return _MID_SATURATION * chroma / (slope + bend * chroma)
    slope, bend = _upper_curve(start, middle, most)
    over = chroma - middle
    return _MID_SATURATION + (1 - _MID_SATURATION) * over / (slope + bend * over)
