"""The LaTeX files that take the tables in: the appendices, and a document around them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from reliable_change.tables.caption import Origin
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.to_latex import escape, label


@dataclass(frozen=True)
class Section:
    """One appendix: its title, its tables, and a sentence with a reference to each."""

    title: str
    tables: tuple[str, ...]
    text: str


SECTIONS = (
    Section(
        "Benchmark screening",
        ("table_a2",),
        "{} lists the candidate benchmarks and how many of their screened items leave room for "
        "a change in either direction.",
    ),
    Section(
        "Single-draw comparison",
        ("table_b3", "table_b4"),
        "{} and {} set what a single draw per item and model would have shown against the "
        "result from all trials.",
    ),
    Section(
        "Sensitivity to the practical-significance threshold",
        ("table_c5",),
        "{} repeats the classification with other values of the threshold $\\varepsilon$.",
    ),
    Section(
        "Token consumption",
        ("table_d6", "table_d7"),
        "{} gives the tokens that a request takes, {} what a migration does to their mean.",
    ),
    Section(
        "Response category breakdown",
        ("table_e8",),
        "{} counts the responses in each scoring category.",
    ),
    Section(
        "Difficulty stratification",
        ("table_f9",),
        "{} breaks the mean accuracies down by the strata that come with a benchmark.",
    ),
)

_HOW = """\
% Appendices with the tables of one archive. {origin}
% In your own document: load booktabs and graphicx, and write
%   \\newcommand{{\\tablesfolder}}{{path/to/this/folder}}
%   \\appendix
%   \\input{{path/to/this/folder/appendices}}
% Or typeset appendices_standalone.tex. Names in scripts that pdfLaTeX does not know
% need XeLaTeX or LuaLaTeX, and a font that has them.
\\providecommand{{\\tablesfolder}}{{.}}
"""

_STANDALONE = """\
% The tables of one archive as a document of their own. {origin}
\\documentclass[a4paper]{{article}}
\\usepackage{{iftex}}
\\ifPDFTeX
  \\usepackage[T1]{{fontenc}}
  \\IfFileExists{{lmodern.sty}}{{\\usepackage{{lmodern}}}}{{}}
\\fi
\\usepackage[margin=25mm]{{geometry}}
\\usepackage{{booktabs}}
\\usepackage{{graphicx}}
\\setlength{{\\abovecaptionskip}}{{0pt}}
\\setlength{{\\belowcaptionskip}}{{6pt}}
\\begin{{document}}
{table_1}\\appendix
\\renewcommand{{\\thetable}}{{\\thesection.\\arabic{{table}}}}
\\input{{appendices}}
\\end{{document}}
"""


def appendices(tables: Collection[str], origin: Origin) -> str:
    """The appendices, in the paper's order.

    Parameters
    ----------
    tables
        Names of the tables that there are. A table that is not among them is said to be
        missing, and its number stays free, so that the others keep theirs.
    origin
        Named in a comment at the top.
    """
    lines = [_HOW.format(origin=escape(origin.sentence()))]
    for section in SECTIONS:
        there = [name for name in section.tables if name in tables]
        lines += [rf"\section{{{section.title}}}", _text(section, there)]
        for name in section.tables:
            lines.append(
                rf"\input{{\tablesfolder/{name}}}" if name in there else r"\stepcounter{table}"
            )
        lines.append("")
    return "\n".join(lines)


def standalone(tables: Collection[str], origin: Origin) -> str:
    """A document that holds Table 1, if there is one, and the appendices."""
    if "table_1" in tables:
        first = "\\section*{Item-level change}\n\\input{table_1}\n\\clearpage\n"
    else:
        first = "\\stepcounter{table}\n"
    return _STANDALONE.format(origin=escape(origin.sentence()), table_1=first)


def _text(section: Section, there: list[str]) -> str:
    if len(there) == len(section.tables):
        return section.text.format(*(_reference(name) for name in there))
    sentences = [f"This appendix holds {_reference(name)}." for name in there]
    for name in section.tables:
        if name not in there:
            letter = name.removeprefix("table_")
            sentences.append(
                f"This archive has no data for the paper's Table {letter[0].upper()}.{letter[1:]}."
            )
    return " ".join(sentences)


def _reference(name: str) -> str:
    return rf"Table~\ref{{{label(LAYOUTS[name])}}}"
