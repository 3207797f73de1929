"""What LaTeX's commands stand for in plain characters. Names are those of LaTeX and of the AMS packages."""

from __future__ import annotations

from typing import Final

_RELATIONS: Final = """
le ≤  leq ≤  leqslant ≤  ge ≥  geq ≥  geqslant ≥  ne ≠  neq ≠  equiv ≡  approx ≈  sim ∼  simeq ≃  cong ≅
asymp ≍  doteq ≐  propto ∝  varpropto ∝  parallel ∥  perp ⊥  mid ∣  vdash ⊢  dashv ⊣  models ⊨  vDash ⊨
in ∈  notin ∉  ni ∋  owns ∋  subset ⊂  supset ⊃  subseteq ⊆  supseteq ⊇  sqsubset ⊏  sqsupset ⊐
prec ≺  preceq ≼  preccurlyeq ≼  succ ≻  succeq ≽  succcurlyeq ≽  ll ≪  gg ≫
to →  rightarrow →  longrightarrow →  gets ←  leftarrow ←  longleftarrow ←  leftrightarrow ↔  longleftrightarrow ↔
hookleftarrow ↩  hookrightarrow ↪  twoheadleftarrow ↞  twoheadrightarrow ↠  leftharpoonup ↼  leftharpoondown ↽
rightharpoonup ⇀  rightharpoondown ⇁  rightleftharpoons ⇌  leftrightharpoons ⇋
nearrow ↗  searrow ↘  swarrow ↙  nwarrow ↖  leadsto ⇝  rightsquigarrow ⇝
Rightarrow ⇒  Longrightarrow ⇒  implies ⇒  Leftarrow ⇐  Longleftarrow ⇐  impliedby ⇐
Leftrightarrow ⇔  Longleftrightarrow ⇔  iff ⇔  mapsto ↦  longmapsto ↦  uparrow ↑  downarrow ↓
cdot ·  times ×
"""
_OTHERS: Final = """
alpha α  beta β  gamma γ  delta δ  epsilon ϵ  varepsilon ε  zeta ζ  eta η  theta θ  vartheta ϑ  iota ι  kappa κ
varkappa ϰ  lambda λ  mu μ  nu ν  xi ξ  omicron ο  pi π  varpi ϖ  rho ρ  varrho ϱ  sigma σ  varsigma ς  tau τ
upsilon υ  phi ϕ  varphi φ  chi χ  psi ψ  omega ω  digamma ϝ
Alpha Α  Beta Β  Gamma Γ  Delta Δ  Epsilon Ε  Zeta Ζ  Eta Η  Theta Θ  Iota Ι  Kappa Κ  Lambda Λ  Mu Μ  Nu Ν  Xi Ξ
Omicron Ο  Pi Π  Rho Ρ  Sigma Σ  Tau Τ  Upsilon Υ  Phi Φ  Chi Χ  Psi Ψ  Omega Ω
pm ±  mp ∓  div ÷  ast ∗  star ⋆  circ ∘  bullet •  oplus ⊕  ominus ⊖  otimes ⊗  oslash ⊘  odot ⊙
dagger †  dag †  ddagger ‡  ddag ‡  cap ∩  cup ∪  setminus ∖  smallsetminus ∖
forall ∀  exists ∃  nexists ∄  neg ¬  lnot ¬  land ∧  wedge ∧  lor ∨  vee ∨
partial ∂  nabla ∇  infty ∞  emptyset ∅  varnothing ∅  angle ∠  therefore ∴  because ∵  aleph ℵ  top ⊤  bot ⊥
triangle △  square □  Box □  diamond ◊  lozenge ◊  Diamond ◊  checkmark ✓  complement ∁  wp ℘  prime ′
ldots …  dots …  dotsc …  dotsb ⋯  cdots ⋯  vdots ⋮  ddots ⋱  ell ℓ  hbar ℏ  hslash ℏ  Im ℑ  Re ℜ
langle ⟨  rangle ⟩  lvert |  rvert |  vert |  lVert ‖  rVert ‖  Vert ‖  lfloor ⌊  rfloor ⌋  lceil ⌈  rceil ⌉
lbrace {  rbrace }  lbrack [  rbrack ]  backslash \\  colon :  imath ı  jmath ȷ
"""
_BIG: Final = """
sum ∑  prod ∏  coprod ∐  bigcap ⋂  bigcup ⋃  bigwedge ⋀  bigvee ⋁  bigoplus ⊕  bigotimes ⊗  bigodot ⊙
"""
_INTEGRALS: Final = "int ∫  iint ∬  iiint ∭  oint ∮"
_ACCENTS: Final = """
acute 0301  bar 0304  breve 0306  check 030c  ddot 0308  dot 0307  grave 0300  hat 0302  mathring 030a
overline 0305  tilde 0303  underline 0332  vec 20d7  widehat 0302  widetilde 0303
overleftarrow 20d6  overrightarrow 20d7  overleftrightarrow 20e1
"""


def _table(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


RELATIONS: Final = _table(_RELATIONS)
SYMBOLS: Final = _table(_OTHERS)
BIG_OPERATORS: Final = _table(_BIG)
INTEGRALS: Final = _table(_INTEGRALS)
ACCENTS: Final = {name: chr(int(code, 16)) for name, code in _table(_ACCENTS).items()}

# Operators that are words; those of the second kind have what is below them under them.
_WORDS = """
arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh
"""
WORDS: Final = frozenset(_WORDS.split())
LIMITS: Final = {
    name: name
    for name in ["det", "gcd", "inf", "lim", "max", "min", "Pr", "sup", "argmax", "argmin"]
} | {"liminf": "lim inf", "limsup": "lim sup"}

# Commands that say how something looks, and nothing of what it is.
_FONTS = """
mathrm mathbf mathit mathsf mathtt mathnormal mathcal mathscr mathfrak boldsymbol bm pmb
"""
FONTS: Final = frozenset(_FONTS.split())
_TEXTS = """
text textrm textbf textit textsf texttt textnormal mbox hbox
"""
TEXTS: Final = frozenset(_TEXTS.split())
_IGNORED = """
left right middle big Big bigg Bigg bigl bigr bigm Bigl Bigr Bigm biggl biggr biggm Biggl Biggr Biggm
displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag
"""
IGNORED: Final = frozenset(_IGNORED.split())
# After these a dot stands for a delimiter that is not there.
DELIMITED: Final = frozenset({"left", "right", "middle"})
SPACES: Final = frozenset(
    {",", ":", ";", ">", " ", "quad", "qquad", "enspace", "thinspace", "space"}
)
FRACTIONS: Final = frozenset({"frac", "dfrac", "tfrac", "cfrac"})
# Signs that a backslash only makes ordinary.
ESCAPED: Final = {sign: sign for sign in "%$#_{}&"} | {"|": "‖"}

SUPERSCRIPTS: Final = str.maketrans(
    "0123456789+-=()abcdefghijklmnoprstuvwxyz",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
)
SUBSCRIPTS: Final = str.maketrans(
    "0123456789+-=()aehijklmnoprstuvx",
    "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ",
)
_DOUBLE_STRUCK: Final = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_NEGATED: Final = {
    "=": "≠", "∈": "∉", "∋": "∌", "≡": "≢", "∼": "≁", "≈": "≉", "≅": "≇", "≃": "≄", "<": "≮", ">": "≯", "≤": "≰",
    "≥": "≱", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "∥": "∦", "∣": "∤", "⊢": "⊬", "⊨": "⊭", "∃": "∄", "≺": "⊀",
    "≻": "⊁", "→": "↛", "←": "↚", "↔": "↮", "⇒": "⇏", "⇐": "⇍", "⇔": "⇎",
}  # fmt: skip


def double_struck(text: str) -> str:
    """Return text in blackboard letters, as far as there are any."""
    return "".join(_DOUBLE_STRUCK.get(letter) or _struck(letter) for letter in text)


def _struck(letter: str) -> str:
    for first, start in (("A", 0x1D538), ("a", 0x1D552), ("0", 0x1D7D8)):
        offset = ord(letter) - ord(first)
        if 0 <= offset < (10 if first == "0" else 26):
            return chr(start + offset)
    return letter


def negated(text: str) -> str:
    """Return a relation crossed out."""
    return _NEGATED.get(text) or f"{text}\u0338"
