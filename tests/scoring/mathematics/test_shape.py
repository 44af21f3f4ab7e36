from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.shape import Group, Relation, Scalar, Words, shape


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("3, 5, 7", "list", 3),
        ("3; 5", "list", 2),
        ("3 and 5", "list", 2),
        ("3, 5, and 7", "list", 3),
        ("x=1 \\text{ or } x=2", "list", 2),
        ("\\pm 2", "list", 2),
        ("1, \\pm 2", "list", 3),
        ("(1,2)", "()", 2),
        ("(1,2),(3,4)", "list", 2),
        ("[1,2)", "[)", 2),
        ("\\left( -\\infty, 2 \\right]", "(]", 2),
        ("\\{1,2,3\\}", "set", 3),
        ("\\{5\\}", "set", 1),
        ("\\{\\pm 1\\}", "set", 2),
        ("\\emptyset", "set", 0),
        ("(1,2) \\cup (3,4)", "union", 2),
        ("\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}", "matrix", 2),
    ],
)
def test_groups(text, kind, count):
    found = shape(plain(text))
    assert isinstance(found, Group)
    assert (found.kind, len(found.members)) == (kind, count)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("x = 5", ("=",)),
        ("1 < x \\le 3", ("<", "<=")),
        ("x \\in [1,2]", ("in",)),
        ("x \\approx 3.14", ("~",)),
        ("f(x,y) = 1", ("=",)),
        ("a \\neq b", ("!=",)),
    ],
)
def test_relations(text, signs):
    found = shape(plain(text))
    assert isinstance(found, Relation)
    assert found.signs == signs
    assert len(found.members) == len(signs) + 1


@pytest.mark.parametrize(
    "text", ["5", "115,000", "2 2/3", "(x+1)(x-1)", "\\frac{1}{2}", "= 5", "{5}"]
)
def test_scalars(text):
    assert isinstance(shape(plain(text)), Scalar)


@pytest.mark.parametrize(
    "text", ["No", "\\text{no such number}", "Alice wins", "101_2", "3 apples so", "x > = 3"]
)
def test_words(text):
    assert isinstance(shape(plain(text)), Words)


def test_mathematics_beyond_the_grammar_is_kept_for_the_larger_one():
    assert shape(plain("\\sum_{k=1}^n k")) == Scalar(("latex", "\\sum_{k=1}^n k"))


@pytest.mark.parametrize(
    "text", ["(" * 50, "((((((((((1,2),3),4),5),6),7),8),9),10),11)", "1," * 1000, "=" * 1000, ")("]
)
def test_odd_nesting_is_no_error(text):
    shape(plain(text))
