from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.plain import plain, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,1", "0,1"),
        ("12,34", "12,34"),
        ("3,5,7", "3,5,7"),
        ("115,000", "115000"),
        ("1{,}000", "1000"),
        ("1,234,567.5", "1234567.5"),
        ("10\\,000", "10000"),
        ("10\u202f000", "10000"),
        ("1,0000", "1,0000"),
        ("0,100", "0,100"),
        ("1000,100", "1000,100"),
        ("100, 200", "100,200"),
        ("(100,200)", "(100,200)"),
        ("\\{1,000,2\\}", "\\{1,000,2\\}"),
        ("x=5, 10,000", "x=5,10000"),
    ],
)
def test_commas_between_digits_and_between_members(text, expected):
    """MATH-04: groups of three after one to three digits, outside brackets."""
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("$\\dfrac{1}{2}$", "\\frac{1}{2}"),
        ("\\(\\tfrac12\\)", "\\frac12"),
        ("\\[ x \\leq 3 \\]", "x≤3"),
        ("\\left( 1, 2 \\right)", "(1,2)"),
        ("\\left\\{1,2\\right\\}", "\\{1, 2\\}"),
        ("2 × 3", "2\\times 3"),
        ("√2", "\\sqrt 2"),
        ("x²", "x^{2}"),
        ("x₁₀", "x_{10}"),
        ("1½", "1\\frac{1}{2}"),
        ("−5", "-5"),
        ("π/2", "\\pi/2"),
        ("n ≥ 3", "n\\geqslant 3"),
        ("90°", "90^{\\circ}"),
        ("25\\%", "25%"),
        ("\\$18", "18"),
        ("\\\\frac{1}{2}", "\\frac{1}{2}"),
        ("\\operatorname{sin} x", "\\sin x"),
        ("\\mathrm{cm}", "\\text{cm}"),
        ("5.", "5"),
        ("x <= 3", "x\\le 3"),
        ("2**10", "2^10"),
        ("\uff15", "5"),
    ],
)
def test_one_spelling(text, other):
    assert plain(text) == plain(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 2/3", "22/3"),
        ("1 2", "12"),
        ("x^2", "x2"),
        ("x²", "x2"),
        ("5!", "5"),
        ("-5", "5"),
        ("(1,2)", "[1,2]"),
        ("\\{1,2\\}", "1,2"),
        ("1.5", "15"),
        ("25%", "25"),
        ("\\pi r", "\\pir"),
        ("3,5,7", "357"),
        ("a<b", "a>b"),
        ("0.1", "0,1"),
        ("X", "x"),
    ],
)
def test_different_answers_stay_different(one, other):
    assert plain(one) != plain(other)


def test_rows_of_a_matrix_stay_apart():
    matrix = "\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}"
    assert plain(matrix) == "\\begin{pmatrix}1&2\\cr 3&4\\end{pmatrix}"


def test_words_have_one_case_and_no_markup():
    assert words(plain("\\text{No}")) == words(plain("NO.")) == "no"
    assert words("Alice") != words("Bob")
