"""Units beside a number, which an answer may state or leave out."""

from __future__ import annotations

import re

# Each unit with its other spellings; the plural in s is understood.
_SPELLINGS = """
metre meter m; kilometre kilometer km; centimetre centimeter cm; millimetre millimeter mm;
mile mi; inch inches in; foot feet ft; yard yd; second sec s; minute min; hour hr h; day; week;
month; year yr; gram g; kilogram kg; milligram mg; tonne ton; pound lb; ounce oz;
litre liter l; millilitre milliliter ml; gallon gal; cup; degree deg; radian rad; percent pct;
dollar usd; cent; euro; unit; square; item; people person; way; time; point; page; piece; step;
mph; kph; newton n; joule j; watt w; volt v; ampere amp a; ohm; hertz hz; kelvin k; mole mol;
pascal pa
"""
_NAMES = {
    name: group.split()[0] for group in _SPELLINGS.split(";") for name in group.split() if group
}
_IN_TEXT = re.compile(r"\\text\{ ?([A-Za-z][A-Za-z /.]*)\}(?:\^\{?([23])\}?)?$")
_IN_WORDS = re.compile(
    r"(?<=[\d)}\]! ])(?:(square|sq\.?|cubic) ?)?([A-Za-z]{2,}|%|\^\\circ)(?:\^\{?([23])\}?)?$"
)
_TRIGONOMETRIC = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)")
_POWERS = {"square": "2", "sq": "2", "sq.": "2", "cubic": "3"}
_OTHER_WORDS = """
and or if for when where with is are not no only even odd mod modulo of to from else otherwise
hundred thousand million billion trillion dozen score half third quarter base any all some the a
an
"""
_NO_UNIT = frozenset(_OTHER_WORDS.split())


def split_unit(text: str) -> tuple[str, str | None]:
    r"""Split a plain text into what stands before a closing unit, and the unit's name.

    A unit is a percent or degree sign, a word in ``\text{}``, or a common unit's word after a
    number. Words that would change the number ("million", "or", "mod") are none.

    >>> split_unit(r"45\text{ miles}"), split_unit("20 cups"), split_unit("25%")
    (('45', 'mile'), ('20', 'cup'), ('25', '%'))
    >>> split_unit(r"2\text{ million}"), split_unit("2x"), split_unit(r"\text{No}")
    (('2\\text{ million}', None), ('2x', None), ('\\text{No}', None))
    """
    found = _IN_TEXT.search(text)
    if found:
        names = found[1].casefold().replace("/", " per ").split()
        is_letter = len(found[1]) == 1 and names[0] not in _NAMES  # \mathrm{i}, \mathrm{e}
        if not found.start() or is_letter or _NO_UNIT.intersection(names) or len(names) > 4:
            return text, None
        return text[: found.start()].rstrip(), _unit([_name(word) for word in names], found[2])
    found = _IN_WORDS.search(text)
    if not found or found.start() == 0:
        return text, None
    word = found[2].casefold()
    if word == "^\\circ" and _TRIGONOMETRIC.search(text):
        return text, None  # the degree sign of an angle inside
    if word in ("%", "^\\circ"):
        return text[: found.start()], {"%": "%"}.get(word, "degree")
    name = _name(word)
    if name not in _NAMES.values() and name != "%":
        return text, None
    return text[: found.start()].rstrip(), _unit([name], found[3] or _POWERS.get(found[1] or ""))


def _name(word: str) -> str:
    """The name of a unit, from any of its spellings: singular, in full."""
    singular = word[:-1] if word.endswith("s") and len(word) > 2 else word
    name = _NAMES.get(word) or _NAMES.get(singular) or singular
    return "%" if name == "percent" else name


def _unit(names: list[str], power: str | None) -> str:
    for word, value in _POWERS.items():
        if word in names and len(names) > 1:
            names, power = [name for name in names if name != word], value
    return " ".join(names) + (f"^{power}" if power else "")
