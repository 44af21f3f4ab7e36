"""The permutation null against full enumeration and against the plain simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare

from reliable_change.stats import null
from reliable_change.stats.classification import classify, meets_epsilon
from reliable_change.stats.fisher import fisher_exact, margin
from reliable_change.stats.multiplicity import benjamini_hochberg
from reliable_change.stats.null import PermutationNull, permutation_null

NAMES = ("improved", "regressed", "changed")


def histogram_of(number: np.ndarray, m: int) -> np.ndarray:
    return np.bincount(number, minlength=m + 1)


def plain_permutation_null(
    k_source, n_source, k_target, n_target, *, epsilon, alpha, replications, rng
) -> PermutationNull:
    """Deal every item's outcomes out in every replication, and run the procedure on the lot."""
    k_source, n_source, k_target, n_target = np.broadcast_arrays(
        k_source, n_source, k_target, n_target
    )
    total = k_source + k_target
    m = total.size
    source = rng.hypergeometric(total, n_source + n_target - total, n_source, (replications, m))
    target = total - source
    p = fisher_exact(source, n_source, target, n_target)
    rejected = np.array([benjamini_hochberg(row, alpha).rejected for row in p])
    reliable = rejected & meets_epsilon(source, n_source, target, n_target, epsilon)
    rises = target * n_source > source * n_target
    improved, regressed = (reliable & rises).sum(axis=1), (reliable & ~rises).sum(axis=1)
    counted = (histogram_of(number, m) for number in (improved, regressed, improved + regressed))
    return PermutationNull(m, replications, *counted)


def enumerated_null(k_source, n_source, k_target, n_target, *, epsilon, alpha) -> dict:
    """Probability of each number of reliable items, from every possible deal of a tiny cell."""
    margins = list(zip(n_source, n_target, np.add(k_source, k_target), strict=True))
    m = len(margins)
    chances = {name: np.zeros(m + 1) for name in NAMES}
    deals = [
        [(max(0, t - n_t) + i, chance) for i, chance in enumerate(margin(n_s, n_t, int(t))[0])]
        for n_s, n_t, t in margins
    ]
    for deal in product(*deals):
        source = np.array([a for a, _ in deal])
        chance = np.prod([probability for _, probability in deal])
        target = np.array([t for _, _, t in margins]) - source
        result = classify(source, n_source, target, n_target, epsilon=epsilon, alpha=alpha)
        up, down = ((result.classes == name).sum() for name in NAMES[:2])
        for name, number in zip(NAMES, (up, down, up + down), strict=True):
            chances[name][number] += chance
    return chances


TINY = {
    "equal items": ([3, 2, 3, 2], [5, 5, 5, 5], [2, 3, 2, 3], [5, 5, 5, 5]),
    "uneven trials": ([4, 1, 2, 0], [6, 3, 4, 2], [2, 3, 2, 5], [4, 7, 5, 8]),
    "two big items": ([20, 14], [30, 30], [14, 15], [30, 24]),
    "an item that cannot change": ([5, 3, 0], [5, 6, 6], [5, 3, 5], [5, 6, 6]),
}


@pytest.mark.parametrize(("alpha", "epsilon"), [(0.05, "0.2"), (0.3, "0.5"), (0.8, "0.4")])
@pytest.mark.parametrize("cell", TINY)
def test_every_histogram_follows_the_enumerated_distribution(cell, alpha, epsilon):
    settings = {"epsilon": epsilon, "alpha": alpha}
    expected = enumerated_null(*TINY[cell], **settings)
    replications = 200_000
    found = permutation_null(
        *TINY[cell], **settings, replications=replications, rng=np.random.default_rng(31)
    )
    for name in NAMES:
        histogram, chance = getattr(found, name), expected[name]
        assert chance.sum() == pytest.approx(1)
        assert histogram.sum() == replications
        assert (histogram[chance == 0] == 0).all()
        likely = chance * replications >= 5
        observed = np.append(histogram[likely], histogram[~likely].sum())
        wanted = np.append(chance[likely], chance[~likely].sum()) * replications
        if wanted[-1] < 1e-6:
            observed, wanted = observed[:-1], wanted[:-1]
        assert wanted.size == 1 or chisquare(observed, wanted).pvalue > 1e-3, name


def test_the_enumerated_cells_do_reject():
    expected = enumerated_null(*TINY["equal items"], epsilon="0.5", alpha=0.3)
    assert 0.02 < expected["changed"][1:].sum() < 0.5
    assert expected["changed"][3] > 1e-4


def many_items(k: int, items: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(37)
    n_source, n_target = rng.integers(max(1, k - 3), k + 4, size=(2, items))
    chance = rng.beta(0.5, 0.5, items)
    return rng.binomial(n_source, chance), n_source, rng.binomial(n_target, chance), n_target


@pytest.mark.parametrize(
    ("k", "items", "alpha", "epsilon"),
    [(10, 40, 0.5, 0.3), (10, 12, 0.2, 0.5), (50, 60, 0.3, 0.2), (25, 30, 0.05, 0.2)],
)
def test_the_plain_simulation_gives_the_same_distribution(k, items, alpha, epsilon):
    settings = {"epsilon": epsilon, "alpha": alpha}
    plain = plain_permutation_null(
        *many_items(k, items), **settings, replications=6000, rng=np.random.default_rng(41)
    )
    fast = permutation_null(
        *many_items(k, items), **settings, replications=200_000, rng=np.random.default_rng(43)
    )
    assert plain.changed[1:].sum() > 50  # rejections are common enough to compare
    for name in NAMES:
        both = np.array([getattr(plain, name), getattr(fast, name)])
        rare = both[0] < 10
        table = np.column_stack([both[:, ~rare], both[:, rare].sum(axis=1)])
        table = table[:, table.sum(axis=0) > 0]
        assert chi2_contingency(table).pvalue > 1e-3, name


RANKS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 12)), max_size=40)


@given(RANKS)
def test_striking_marks_is_benjamini_hochberg(marks):
    replication, rank = np.array(marks, dtype=np.int64).reshape(-1, 2).T
    m = 50
    _, left = null._strike(replication, np.arange(rank.size), rank, 5)
    expected = []
    for r in range(5):
        own = np.flatnonzero(replication == r)
        p = np.ones(m)
        p[: own.size] = rank[own] * 0.2 / m
        expected += own[benjamini_hochberg(p, 0.2).rejected[: own.size]].tolist()
    assert sorted(left.tolist()) == sorted(expected)


def test_an_alpha_next_to_1_rejects_all_that_vary():
    found = permutation_null(
        [1, 1, 0],
        1,
        [0, 0, 0],
        1,
        epsilon=1,
        alpha=np.nextafter(1, 0),
        rng=np.random.default_rng(1),
    )
    assert found.changed.tolist() == [0, 0, 1000, 0]


def test_the_same_seed_gives_the_same_result_and_the_global_state_stays():
    np.random.seed(7)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    runs = [
        permutation_null(
            [25] * 90, 50, [25] * 90, 50, epsilon=0.2, alpha=0.2, rng=np.random.default_rng(seed)
        ).changed.tolist()
        for seed in (5, 5, 6)
    ]
    assert runs[0] == runs[1] != runs[2]
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_the_rng_has_no_default():
    with pytest.raises(TypeError, match="rng"):
        permutation_null([1], 2, [1], 2, epsilon=0.2, alpha=0.05)


def test_results_do_not_hang_on_the_size_of_the_blocks(monkeypatch):
    arguments = {"epsilon": 0.2, "alpha": 0.2, "replications": 50_000}
    items = ([25] * 30, 50, [25] * 30, 50)
    whole = permutation_null(*items, **arguments, rng=np.random.default_rng(1)).changed
    monkeypatch.setattr(null, "_BLOCK", 777)
    monkeypatch.setattr(null, "_BLOCK_MARKS", 500)
    parts = permutation_null(*items, **arguments, rng=np.random.default_rng(2)).changed
    assert whole.sum() == parts.sum() == 50_000
    table = np.array([whole, parts])[:, :3]
    assert chi2_contingency(table).pvalue > 1e-3


def test_items_that_are_not_testable_are_left_out():
    with_them = permutation_null(
        [25] * 20 + [0, 9], [50] * 20 + [0, 9], [25] * 20 + [9, 0], [50] * 20 + [9, 0],
        epsilon=0.2, alpha=0.2, rng=np.random.default_rng(1),
    )  # fmt: skip
    without = permutation_null(
        [25] * 20, 50, [25] * 20, 50, epsilon=0.2, alpha=0.2, rng=np.random.default_rng(1)
    )
    assert with_them.n_items == 20
    assert with_them.changed.tolist() == without.changed.tolist()


@pytest.mark.parametrize("items", [([], 50, [], 50), ([0], [0], [3], [7])])
def test_a_cell_without_testable_items(items):
    found = permutation_null(*items, epsilon=0.2, alpha=0.05, rng=np.random.default_rng(1))
    assert found.n_items == 0
    assert found.changed.tolist() == [1000]
    assert np.isnan(found.percentile(95))
    assert found.any_reliable().count == 0


def test_items_that_never_vary_never_change():
    found = permutation_null(
        [0, 50, 1], 50, [0, 50, 0], 50, epsilon=0.2, alpha=0.05, rng=np.random.default_rng(1)
    )
    assert found.changed.tolist() == [1000, 0, 0, 0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 1.0}, "alpha"),
        ({"epsilon": 0}, "epsilon"),
        ({"replications": 0}, "replications"),
    ],
)
def test_parameters_out_of_range_are_refused(parameters, message):
    settings = {"epsilon": 0.2, "alpha": 0.05} | parameters
    with pytest.raises(ValueError, match=message):
        permutation_null([1], 2, [1], 2, **settings, rng=np.random.default_rng(1))


def test_percentiles_are_never_interpolated():
    changed = np.array([950, 30, 15, 5])
    found = PermutationNull(3, 1000, changed, changed, changed)
    shares = [found.percentile(q) for q in (0, 95, 95.1, 98, 99.5, 100)]
    assert shares == pytest.approx([0, 0, 100 / 3, 100 / 3, 200 / 3, 100])
    one_by_one = np.repeat(np.arange(4), changed) * 100 / 3
    for q in np.linspace(0, 100, 41):
        by_numpy = np.percentile(one_by_one, q, method="inverted_cdf")
        assert found.percentile(q) == pytest.approx(by_numpy)
    with pytest.raises(ValueError, match="percentile"):
        found.percentile(101)


def test_no_reliable_replication_is_no_proof_of_none():
    changed = np.array([1000, 0])
    count, low, high = PermutationNull(1, 1000, changed, changed, changed).any_reliable()
    assert (count, low) == (0, 0)
    assert high == pytest.approx(1 - 0.025 ** (1 / 1000))
