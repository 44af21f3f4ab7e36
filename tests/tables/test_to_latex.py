from __future__ import annotations

import re

import pandas as pd
import pytest

from reliable_change.published.tables import KEYS
from reliable_change.tables.caption import Origin
from reliable_change.tables.layout import fill
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.to_latex import MOST_ROWS, escape, to_latex

ORIGIN = Origin("an_archive", synthetic=True)
COMMAND = re.compile(r"\\(begin|end)\{(\w+)\}")


def latex(name, frame, labels):
    return to_latex(LAYOUTS[name], fill(LAYOUTS[name], frame, labels), ORIGIN)


def tabulars(text):
    """The column letters and the rows (cells as LaTeX) of each tabular."""
    for found in re.finditer(r"\\begin\{tabular\}\{(\w+)\}\n(.*?)\\end\{tabular\}", text, re.S):
        lines = [line for line in found[2].splitlines() if line.endswith(r"\\")]
        yield found[1], [re.split(r"(?<!\\)&", line[:-2]) for line in lines]


def assert_balanced(text):
    bare = re.sub(r"\\[{}%\\]", "", text)
    assert bare.count("{") == bare.count("}")
    open_environments = []
    for command, environment in COMMAND.findall(text):
        if command == "begin":
            open_environments.append(environment)
        else:
            assert open_environments.pop() == environment
    assert open_environments == []


def width(cells):
    return sum(int(m[1]) if (m := re.search(r"multicolumn\{(\d+)\}", c)) else 1 for c in cells)


@pytest.mark.parametrize("name", list(KEYS))
def test_structure_is_balanced_and_every_row_as_wide_as_the_table(name, paper_frame, labels):
    text = latex(name, paper_frame(name), labels)
    assert_balanced(text)
    found = list(tabulars(text))
    assert len(found) == 1
    for columns, rows in found:
        assert {width(cells) for cells in rows} == {len(columns)}
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert rule in text
    assert rf"\label{{tab:{name.removeprefix('table_')}}}" in text
    assert "multirow" not in text


def test_the_papers_cells_in_latex(paper_frame, labels):
    text = latex("table_1", paper_frame("table_1"), labels)
    assert (
        "\\midrule\n"
        "5.5$\\rightarrow$Sol & SuperGPQA & +1.4 & 7.6 & 4.4 & 12.0 & 80.4 & 7.6 & 0.0 \\\\\n"
        " & Omni-MATH hard & $-$4.1 & 9.0 & 15.0 & 24.0 & 67.0 & 9.0 & 0.0 \\\\\n"
    ) in text


def test_spanning_headings(paper_frame, labels):
    text = latex("table_d6", paper_frame("table_d6"), labels)
    assert (
        r" &  & \multicolumn{2}{c}{Mean} & \multicolumn{4}{c}{Total tokens} \\"
        "\n"
        r"\cmidrule(lr){3-4} \cmidrule(lr){5-8}"
    ) in text


def test_spaces_between_cells_and_rules_between_edges(paper_frame, labels):
    text = latex("table_c5", paper_frame("table_c5"), labels)
    assert text.count(r"\addlinespace") == 6
    assert text.count(r"\midrule") == 3


def test_the_caption_says_whose_data_it_is(paper_frame, labels):
    text = latex("table_c5", paper_frame("table_c5"), labels)
    assert r"threshold $\varepsilon$ varies" in text
    assert r"Data: an\_archive, a synthetic reconstruction.}" in text


def test_missing_values_are_en_dashes(paper_frame, labels):
    frame = paper_frame("table_1")
    frame.loc[0, "null95"] = None
    assert r"9.8 & \textendash{} \\" in latex("table_1", frame, labels)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a_b & <c>%", r"a\_b \& \textless{}c\textgreater{}\%"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("$x^2$~#1", r"\$x\textasciicircum{}2\$\textasciitilde{}\#1"),
        ("[9pt]*", "{[}9pt{]}{*}"),
        ("a---b,,c''d?`", r"a-{}-{}-b,{},c'{}'d?{}\textasciigrave{}"),
        ("one\n\ntwo\\\\", r"one two\textbackslash{}\textbackslash{}"),
        ("−1 → é", r"$-$1 $\rightarrow$ é"),
        ('say "a|b"', r"say \texttt{\char34}a\textbar{}b\texttt{\char34}"),
        (" kept ", " kept "),
    ],
)
def test_escaping(text, printed):
    assert escape(text) == printed


def test_hostile_names_break_no_row(hostile_frame, hostile_names, labels):
    text = latex("table_d7", hostile_frame, labels)
    assert_balanced(text)
    ((columns, rows),) = tabulars(text)
    assert {width(cells) for cells in rows} == {len(columns)}
    assert len(rows) == 1 + len(hostile_names)
    assert "\n[" not in text
    assert r"\input" not in text


def test_a_wide_table_becomes_several_that_count_as_one(wide_frame, labels):
    text = latex("table_f9", wide_frame, labels)
    assert_balanced(text)
    found = list(tabulars(text))
    assert len(found) == 3
    assert sum(len(columns) for columns, _ in found) == 3 * 2 + 1 + 12 + 11
    assert all(rows[1][:2] == ["B ", " Difficulty easy "] for _, rows in found)
    assert text.count(r"\addtocounter{table}{-1}") == 2
    assert text.count(r"\label") == 1
    assert r"\caption{Part 3 of 3.}" in text


def test_a_long_table_becomes_several(paper_frame, labels):
    frame = paper_frame("table_c5")
    longer = pd.concat([frame, frame.assign(edge=frame["edge"] + "-x")], ignore_index=True)
    found = list(tabulars(latex("table_c5", longer, labels)))
    lengths = [len(rows) - 1 for _, rows in found]
    assert lengths == [36, 36]
    assert max(lengths) <= MOST_ROWS
