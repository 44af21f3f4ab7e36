"""Whether two answers are the same, by their shapes; members are left to a given comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from reliable_change.scoring.mathematics.means import Means, Verdict
from reliable_change.scoring.mathematics.reader import Node
from reliable_change.scoring.mathematics.shape import Group, Relation, Scalar, Shape, Words

_UNORDERED = ("list", "set", "union")
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_INFINITE: Node = ("constant", "oo")
_SCALES: dict[str, Node] = {
    "%": ("number", Fraction(1, 100)),
    "degree": ("div", ("constant", "pi"), ("number", Fraction(180))),
}


def same(reference: Shape, answer: Shape, means: Means) -> Verdict:
    r"""Tell whether an answer is the same as the reference, member by member.

    Bare lists and sets agree in any order, tuples and intervals in theirs, with their brackets;
    a bare list also agrees with a tuple in its order. ``x = 5`` agrees with 5, ``x \\in [0, 1]``
    and ``0 \\le x \\le 1`` with the interval. Of ``a = b = c`` all must agree, of ``a \\approx b``
    the first. A unit agrees with none, not with another one; where only one side has a percent
    sign, 25% agrees with 25 and with 1/4.

    `means` compares two expressions; it must return None rather than guess.
    """
    pairs = (Group, Relation, Scalar, Words)
    reference, answer = _reduced(reference), _reduced(answer)
    if type(reference) is type(answer):
        compare = [_groups, _relations, _scalars, _words][pairs.index(type(reference))]
        return compare(reference, answer, means)
    if isinstance(reference, Relation):
        return _relation_with(reference, answer, means)
    if isinstance(answer, Relation):
        return _relation_with(answer, reference, means)
    for group, other in ((reference, answer), (answer, reference)):
        if isinstance(group, Group) and group.kind in _UNORDERED and len(group.members) == 1:
            return same(group.members[0], other, means)
    return False


def _every(verdicts: Iterable[Verdict]) -> Verdict:
    """False if one is false, else None if one is undecided, else True."""
    undecided = False
    for verdict in verdicts:
        if verdict is False:
            return False
        undecided = undecided or verdict is None
    return None if undecided else True


def _reduced(shape: Shape) -> Shape:
    """Drop what says nothing: the exact side of an approximation is the answer."""
    if isinstance(shape, Relation) and "~" in shape.signs:
        kept = shape.signs.index("~")
        members = shape.members[: kept + 1]
        return Relation(shape.signs[:kept], members) if kept else members[0]
    return shape


def _words(reference: Words, answer: Words, _means: Means) -> Verdict:
    return reference.text == answer.text


def _scalars(reference: Scalar, answer: Scalar, means: Means) -> Verdict:
    units = {reference.unit, answer.unit} - {None}
    if len(units) == 2:
        return False
    as_written = means.equal(reference.node, answer.node)
    scale = _SCALES.get(next(iter(units), ""))
    if as_written is True or scale is None or reference.unit == answer.unit:
        return as_written
    left, right = (
        ("mul", scalar.node, scale) if scalar.unit else scalar.node
        for scalar in (reference, answer)
    )
    scaled = means.equal(left, right)
    return scaled if scaled is True or as_written is False else None


def _groups(reference: Group, answer: Group, means: Means) -> Verdict:
    kinds = {reference.kind, answer.kind}
    if len(reference.members) != len(answer.members):
        return False
    if kinds <= set(_UNORDERED):
        if kinds == {"list", "union"} or kinds == {"set", "union"}:
            return False
        if _is_named(reference) != _is_named(answer):
            return _in_order(reference.members, answer.members, means)
        return _in_any_order(reference.members, answer.members, means)
    if len(kinds) == 1 or kinds == {"list", "()"}:
        return _in_order(reference.members, answer.members, means)
    return False


def _in_order(left: Sequence[Shape], right: Sequence[Shape], means: Means) -> Verdict:
    return _every(same(*pair, means) for pair in zip(left, right, strict=True))


def _in_any_order(left: Sequence[Shape], right: Sequence[Shape], means: Means) -> Verdict:
    """Pair off members. Being equal is transitive, so any partner does."""
    alone: list[Shape] = []
    rest = list(right)
    for member in left:
        partner = next((n for n, other in enumerate(rest) if same(member, other, means)), None)
        if partner is None:
            alone.append(member)
        else:
            rest.pop(partner)
    verdicts = [[same(member, other, means) for other in rest] for member in alone]
    if not verdicts:
        return True
    # One that can be nobody's partner decides; otherwise it stays open.
    hopeless = any(set(one) == {False} for one in [*verdicts, *zip(*verdicts, strict=True)])
    return False if hopeless else None


def _is_named(group: Group) -> bool:
    """Tell whether members are given by different names, such as x = 1, y = 2."""
    names = [m.members[0] for m in group.members if isinstance(m, Relation) and _is_name(m)]
    return len(names) == len(group.members) > 1 and len(set(map(repr, names))) > 1


def _is_name(relation: Relation) -> bool:
    """Tell whether a relation names its value: x = 1, f(x) = x, (x, y) = (1, 2), area = 3."""
    first = relation.members[0]
    if relation.signs[0] not in ("=", "in"):
        return False
    if isinstance(first, Group):
        return all(_is_symbol(member) for member in first.members)
    if isinstance(first, Scalar):
        node = first.node
        is_function = node[0] == "mul" and node[1][0] == node[2][0] == "symbol"
        return node[0] == "symbol" or node[:1] == ("call",) and node[1][:2] == "f:" or is_function
    return isinstance(first, Words) and len(first.text) <= 40


def _relation_with(relation: Relation, other: Shape, means: Means) -> Verdict:
    """Compare a relation with something that is none."""
    if set(relation.signs) <= {"=", "in"}:
        start = 1 if _is_name(relation) else 0
        return _every(same(member, other, means) for member in relation.members[start:])
    interval = _as_interval(relation)
    return False if interval is None else same(interval, other, means)


def _as_interval(relation: Relation) -> Group | None:
    """The interval that a < x <= b, x > a or the like describes."""
    signs, members = relation.signs, relation.members
    if signs and signs[0] in (">", ">="):
        signs = tuple(_FLIPPED[sign] for sign in reversed(signs) if sign in _FLIPPED)
        members = members[::-1]
    if not set(signs) <= {"<", "<="} or len(signs) != len(members) - 1 or len(signs) > 2:
        return None
    names = [_is_symbol(member) for member in members]
    low, high = Scalar(("neg", _INFINITE)), Scalar(_INFINITE)
    if names == [False, True, False]:
        ends, closed = (members[0], members[2]), [sign == "<=" for sign in signs]
    elif names == [True, False]:
        ends, closed = (low, members[1]), [False, signs[0] == "<="]
    elif names == [False, True]:
        ends, closed = (members[0], high), [signs[0] == "<=", False]
    else:
        return None
    return Group(("[" if closed[0] else "(") + ("]" if closed[1] else ")"), ends)


def _relations(reference: Relation, answer: Relation, means: Means) -> Verdict:
    if reference == answer:  # a = a = b, too, where not every member agrees with the last
        return True
    if {*reference.signs, *answer.signs} == {"="} and _is_name(reference) and _is_name(answer):
        (name, *_, value), (other_name, *values) = reference.members, answer.members
        if same(name, other_name, means) is True:
            return _every(same(value, other, means) for other in values)
    for candidate in (answer, _reversed(answer)):
        if candidate.signs == reference.signs:
            verdict = _in_order(reference.members, candidate.members, means)
            if verdict is not False:
                return verdict
    sets = [_as_set(relation) for relation in (reference, answer)]
    if None not in sets:
        return _every(same(*pair, means) for pair in zip(*sets, strict=True))
    if len(reference.signs) == len(answer.signs) == 1:
        return _by_differences(reference, answer, means)
    return False


def _reversed(relation: Relation) -> Relation:
    if not set(relation.signs) <= _FLIPPED.keys():
        return relation
    signs = tuple(_FLIPPED[sign] for sign in reversed(relation.signs))
    return Relation(signs, relation.members[::-1])


def _as_set(relation: Relation) -> tuple[Shape, Shape] | None:
    """A variable and the set it lies in, for x in S and for inequalities like 0 < x < 1."""
    if relation.signs == ("in",):
        return relation.members
    interval = _as_interval(relation)
    name = next((m for m in relation.members if _is_symbol(m)), None)
    return None if interval is None or name is None else (name, interval)


def _is_symbol(shape: Shape) -> bool:
    return isinstance(shape, Scalar) and shape.node[0] == "symbol"


def _by_differences(reference: Relation, answer: Relation, means: Means) -> Verdict:
    """Compare a = b with c = d, and a < b with c < d, by a - b and c - d: multiples or not."""
    members = (*reference.members, *answer.members)
    if not all(isinstance(member, Scalar) and member.unit is None for member in members):
        return False
    signs = reference.signs[0], answer.signs[0]
    if signs[0] != signs[1] and signs[0] != _FLIPPED.get(signs[1]):
        return False
    multiple = means.multiple(*(_difference(relation) for relation in (reference, answer)))
    if multiple is None:
        return None
    return multiple != 0 and (signs[0] in ("=", "!=") or (multiple > 0) == (signs[0] == signs[1]))


def _difference(relation: Relation) -> Node:
    first, second = (member.node for member in relation.members)
    return ("add", first, ("neg", second))
