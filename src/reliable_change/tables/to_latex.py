"""A table as LaTeX: a float with booktabs rules, split into several if it fills no one page."""

from __future__ import annotations

import re

from reliable_change.tables.caption import Origin, caption, part_name, table_name
from reliable_change.tables.grid import Grid, Head, Row, spans, split
from reliable_change.tables.layout import Layout
from reliable_change.tables.phrase import Phrase, printable, write

# What fits a page of \small text under a caption.
MOST_ROWS = 42

_SAFE = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",
    "`": r"\textasciigrave{}",
    # After a line's end or a rule, a bracket or star would be read as that command's argument.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "−": "$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "→": r"$\rightarrow$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "Δ": r"$\Delta$",
    "ε": r"$\varepsilon$",
    "α": r"$\alpha$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
_UNSAFE = re.compile("|".join(map(re.escape, _SAFE)))
# Pairs that TeX fonts would join into another character.
_LIGATURE = re.compile(r"([-,'])(?=\1)|([?!])(?=\\textasciigrave)")


def escape(text: str) -> str:
    """A text that LaTeX prints as it stands.

    >>> print(escape("a_b & <c>%"))
    a\\_b \\& \\textless{}c\\textgreater{}\\%
    """
    safe = _UNSAFE.sub(lambda found: _SAFE[found[0]], printable(text))
    return _LIGATURE.sub(r"\g<0>{}", safe)


def to_latex(layout: Layout, grid: Grid, origin: Origin) -> str:
    """Typeset a filled layout.

    Parameters
    ----------
    layout
        Whose caption and label to use: ``tab:c5`` for ``table_c5``.
    grid
        From `fill`.
    origin
        Named in the caption.

    Returns
    -------
    str
        One float, or several that count as one table. It needs the packages booktabs and
        graphicx; a table wider than the line is scaled down to it.
    """
    parts = split(grid, rows=MOST_ROWS)
    text = write(caption(layout, grid.notes, origin), "latex", escape)
    floats = []
    for number, part in enumerate(parts, start=1):
        which = part_name(number, len(parts))
        if number == 1:
            about = [rf"\caption{{{f'{which} {text}'.strip()}}}", rf"\label{{{label(layout)}}}"]
        else:
            about = [r"\addtocounter{table}{-1}", rf"\caption{{{which}}}"]
        floats.append(_float(about, part))
    name = f"% {table_name(layout)}. {escape(origin.sentence())} Needs booktabs and graphicx."
    return "\n\n".join([name.replace("  ", " "), *floats]) + "\n"


def label(layout: Layout) -> str:
    """What `\\\\ref` calls the table."""
    return "tab:" + layout.name.removeprefix("table_")


def _float(about: list[str], grid: Grid) -> str:
    columns = "".join("l" if head.left else "r" for head in grid.heads)
    return "\n".join(
        [
            r"\begin{table}[!htbp]",
            r"\centering",
            *about,
            r"\small",
            r"\sbox0{%",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *_spanners(grid.heads),
            _line([_phrase(head.heading) for head in grid.heads]),
            r"\midrule",
            *(line for row in grid.rows for line in _row(row)),
            r"\bottomrule",
            r"\end{tabular}}%",
            r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
            r"\end{table}",
        ]
    )


def _spanners(heads: tuple[Head, ...]) -> list[str]:
    if not any(head.spanner for head in heads):
        return []
    cells, rules = [], []
    for spanner, first, width in spans(heads):
        if spanner:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{_phrase(spanner)}}}")
            rules.append(rf"\cmidrule(lr){{{first + 1}-{first + width}}}")
        else:
            cells += [""] * width
    return [_line(cells), " ".join(rules)]


def _row(row: Row) -> list[str]:
    above = [r"\midrule"] if row.rule else [r"\addlinespace"] if row.space else []
    pairs = zip(row.cells, row.repeats, strict=True)
    return [*above, _line(["" if repeats else escape(cell) for cell, repeats in pairs])]


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _phrase(phrase: Phrase) -> str:
    return write(phrase, "latex", escape)
