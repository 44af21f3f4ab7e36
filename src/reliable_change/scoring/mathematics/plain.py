"""Plain normalisation: one spelling for what is written in many ways, without computing."""

from __future__ import annotations

import re
import unicodedata

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ", "0123456789+-()ni")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₍₎", "0123456789+-()")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ]+")
_LOWERED = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋₍₎]+")
_VULGAR = re.compile("[¼-¾⅐-⅞]")

_SYMBOLS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": r"\times ", "⋅": r"\cdot ",
    "·": r"\cdot ", "∙": r"\cdot ", "÷": "/", "∕": "/", "⁄": "/", "√": r"\sqrt ", "π": r"\pi ",
    "∞": r"\infty ", "≤": r"\le ", "⩽": r"\le ", "≥": r"\ge ", "⩾": r"\ge ", "≠": r"\ne ",
    "≈": r"\approx ", "∈": r"\in ", "∪": r"\cup ", "∩": r"\cap ", "∅": r"\emptyset ",
    "±": r"\pm ", "∓": r"\mp ", "°": r"^\circ ", "⌊": r"\lfloor ", "⌋": r"\rfloor ",
    "⌈": r"\lceil ", "⌉": r"\rceil ", "α": r"\alpha ", "β": r"\beta ", "γ": r"\gamma ",
    "δ": r"\delta ", "ε": r"\epsilon ", "θ": r"\theta ", "λ": r"\lambda ", "μ": r"\mu ",
    "σ": r"\sigma ", "τ": r"\tau ", "φ": r"\phi ", "ϕ": r"\phi ", "ω": r"\omega ",
    "∣": "|", "′": "'", "’": "'", "‘": "'", "“": '"', "”": '"', "，": ",", "；": ";", "：": ":",
    "、": ",", "。": ".", "（": "(", "）": ")", "％": "%",
}  # fmt: skip
_SYMBOL = re.compile("|".join(map(re.escape, _SYMBOLS)))

# Spacing and size commands say nothing; those of one meaning get one name.
_SILENT = re.compile(
    r"\\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|limits|quad|qquad|hspace|phantom)"
    r"(?![A-Za-z])\s*|\\[!;:> ]|~"
)
_RENAMED = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne", "lt": "<",
    "gt": ">", "ast": "*", "div": "/", "varphi": "phi", "varepsilon": "epsilon", "lbrace": "{",
    "rbrace": "}", "lbrack": "[", "rbrack": "]", "langle": "(", "rangle": ")", "lvert": "|",
    "rvert": "|", "vert": "|", "mid": "|", "varnothing": "emptyset", "cdotp": "cdot",
    "lor": "text{ or }", "land": "text{ and }", "degree": "^\\circ", "infin": "infty",
    "textbf": "text", "textit": "text", "textrm": "text", "textnormal": "text", "mbox": "text",
    "mathrm": "text", "mathbf": "text", "mathit": "text", "mathsf": "text", "mathtt": "text",
    "operatorname": "text", "fbox": "boxed", "hbox": "text",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_BARE = frozenset({"<", ">", "*", "/", "(", ")", "[", "]", "|", "^\\circ"})
_FUNCTIONS = "sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|ln|log|exp|max|min"
_NAMED_FUNCTION = re.compile(rf"\\text\s?\{{\s?({_FUNCTIONS})\s?\}}")
_DELIMITER = re.compile(r"\\[()\[\]]|(?<!\\)\$|\\\$")
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,]|\.\d*,)")
_THIN_SPACE = re.compile(r"(?<=\d)(?:\{,\}|\\,|\u2009|\u202f|\u00a0)(?=\d{3}(?!\d))")
_SPACES = re.compile(r"\s+")
_NEEDLESS_SPACE = re.compile(r"(?<![0-9A-Za-z]) | (?![0-9A-Za-z])")
_TRAILING = " \t\n.,;:?"


def plain(text: str) -> str:
    r"""Return an answer in plain form: the same answer, spelled in one way.

    Unicode mathematics becomes LaTeX; delimiters, sizes and spacing commands go; commands of one
    meaning get one name; a comma between groups of three digits goes, unless it stands inside
    brackets; white space is kept only between two letters or digits; a closing full stop goes.
    Nothing is computed and nothing else is dropped, so different answers stay different.

    >>> plain(r"$\dfrac{1}{2}$."), plain("115,000"), plain("1{,}000"), plain("3, 5,7")
    ('\\frac{1}{2}', '115000', '1000', '3,5,7')
    >>> plain("0,1"), plain("12,34"), plain("2 2/3"), plain("½"), plain("x² ≤ 4")
    ('0,1', '12,34', '2 2/3', '\\frac{1}{2}', 'x^{2}\\le 4')
    """
    text = _THIN_SPACE.sub("", text)
    if not text.isascii():
        text = _from_unicode(text)
    # A doubled backslash ends the row of a matrix; elsewhere it is one backslash, escaped.
    text = text.replace("\\\\", r"\cr " if r"\begin" in text else "\\")
    text = text.replace(r"\,", " ").replace(r"^{\circ}", r"^\circ").replace("{,}", ",")
    text = text.replace(r"\{", r"\lbrace ").replace(r"\}", r"\rbrace ")
    text = _DELIMITER.sub("", text)
    text = _SILENT.sub(" ", text)
    text = _COMMAND.sub(_rename, text)
    text = _NAMED_FUNCTION.sub(r"\\\1 ", text)
    text = text.replace(r"\%", "%").replace("**", "^").replace("<=", r"\le ")
    text = text.replace(">=", r"\ge ").replace("!=", r"\ne ")
    text = _SPACES.sub(" ", text).strip(" ,;:").rstrip(_TRAILING)
    return _NEEDLESS_SPACE.sub("", _ungroup(text))


def words(text: str) -> str:
    r"""Return a plain text in the form in which words are compared: no markup, one case.

    >>> words(plain(r"\text{No}")) == words(plain("no."))
    True
    """
    text = text.replace(r"\text", "").replace("{", "").replace("}", "").replace('"', "")
    return " ".join(text.casefold().split()).strip(_TRAILING)


def _from_unicode(text: str) -> str:
    text = _RAISED.sub(lambda run: "^{" + run[0].translate(_SUPERSCRIPTS) + "}", text)
    text = _LOWERED.sub(lambda run: "_{" + run[0].translate(_SUBSCRIPTS) + "}", text)
    text = _VULGAR.sub(_fraction, text)
    text = _SYMBOL.sub(lambda found: _SYMBOLS[found[0]], text)
    return _SYMBOL.sub(lambda found: _SYMBOLS[found[0]], unicodedata.normalize("NFKC", text))


def _fraction(found: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", found[0]).partition("⁄")
    return rf"\frac{{{top}}}{{{bottom}}}"


def _rename(found: re.Match[str]) -> str:
    name = _RENAMED.get(found[1], found[1])
    if name in _BARE:
        return name
    if name in "{}":
        return "\\" + name  # braces of a set, apart from those of a group
    return "\\" + name + ("" if name.endswith(("}", "text", "frac", "binom", "boxed")) else " ")


def _ungroup(text: str) -> str:
    """Drop the commas of grouped digits outside brackets, where a comma separates members."""
    if "," not in text:
        return text
    pieces, depth, last = [], 0, 0
    for place, character in enumerate(text):
        if character in "([{":
            if depth == 0:
                pieces.append(
                    _GROUPED.sub(lambda found: found[0].replace(",", ""), text[last:place])
                )
                last = place
            depth += 1
        elif character in ")]}" and depth:
            depth -= 1
            if depth == 0:
                pieces.append(text[last : place + 1])
                last = place + 1
    rest = text[last:]
    if depth == 0:
        rest = _GROUPED.sub(lambda found: found[0].replace(",", ""), rest)
    return "".join([*pieces, rest])
