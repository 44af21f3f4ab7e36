"""The methods compared: every rule and test as one function from counts to calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from reliable_change.stats.beta_binomial import PROBABILITY, posterior_shift
from reliable_change.stats.checks import check_level
from reliable_change.stats.classification import Epsilon, exact_epsilon, meets_epsilon
from reliable_change.stats.fisher import fisher_exact
from reliable_change.stats.lookup import by_table
from reliable_change.stats.multiplicity import reject_each
from reliable_change.stats.paired import majority_flips, mcnemar_exact
from reliable_change.stats.reliable_change_index import (
    CONSERVATIVE,
    THRESHOLD,
    reliable_change_index,
)
from reliable_change.stats.rules import (
    Calls,
    any_drop,
    single_draw_flip,
    to_zero,
    unpaired_z,
    wilson_apart,
)

PAPER = "Fisher + BH + ε"


@dataclass(frozen=True)
class Method:
    """A way to decide which items of a cell changed.

    ``call(k_source, n_source, k_target, n_target, rng)`` takes counts of shape (..., items), each
    row of the last axis a cell of its own, and returns `Calls` of that shape. `trials` is how many
    of the trials it uses, None for all; `rule` says in words when an item is called.
    """

    name: str
    call: Callable[..., Calls]
    rule: str
    source: str
    trials: int | None = None


def item_methods(epsilon: Epsilon = 0.20, alpha: float = 0.05) -> tuple[Method, ...]:
    """All methods that decide item by item, the paper's first.

    Parameters
    ----------
    epsilon, alpha
        As for `classify`; a method that has no such setting goes without.

    Examples
    --------
    >>> methods = {method.name: method for method in item_methods()}
    >>> calls = methods["Fisher + BH + ε"].call([50, 25], 50, [30, 24], 50, None)
    >>> calls.regressed.tolist()
    [True, False]
    """
    exact, alpha = exact_epsilon(epsilon), check_level("alpha", alpha)
    e, a = f"{float(exact):g}", f"{alpha:g}"
    return (
        Method(
            PAPER,
            partial(fisher_bh, epsilon=exact, alpha=alpha),
            f"Fisher's exact test, Benjamini–Hochberg at {a} within the cell; shift at least {e}",
            "What Aggregate Scores Miss, §3.6",
        ),
        Method(
            "Fisher + BH",
            partial(fisher_bh, epsilon=None, alpha=alpha),
            f"the same without the threshold: Benjamini–Hochberg at {a}",
            "the same, ε left out",
        ),
        Method(
            "RCI 1.96",
            partial(index_beyond, threshold=THRESHOLD),
            "Reliable Change Index beyond ±1.96; one error of measurement for all items",
            "Beyond the Mean, §2",
        ),
        Method(
            "RCI 2.58",
            partial(index_beyond, threshold=CONSERVATIVE),
            "the same at 99 %: beyond ±2.58",
            "ours, for the conservative counts of Beyond the Mean",
        ),
        Method(
            "Posterior ≥ 0.95",
            partial(posterior_beyond, epsilon=float(exact)),
            f"posterior probability of a shift beyond {e} is at least {PROBABILITY:g}, Beta priors",
            "Casey et al. 2026, read for single items",
        ),
        Method(
            "McNemar on pairs",
            partial(mcnemar_pairs, alpha=alpha),
            f"exact two-sided McNemar test on the item's pairs of trials, p ≤ {a}",
            "When LLMs get significantly worse, read for single items",
        ),
        Method(
            "z-test",
            _plain(partial(unpaired_z, alpha=alpha)),
            f"unpaired z-test of the item's two accuracies, p ≤ {a}",
            "common practice",
        ),
        Method(
            "Wilson apart",
            _plain(partial(wilson_apart, confidence=1 - alpha)),
            f"Wilson intervals at {1 - alpha:g} do not overlap",
            "common practice",
        ),
        Method(
            "Majority flips",
            _plain(_majority),
            "right in more than half of the trials before, and not so after",
            "Count the Regressions, trials made one verdict",
        ),
        Method("Turned to zero", _plain(to_zero), "mean above zero, then zero", "common practice"),
        Method("Any drop", _plain(any_drop), "the mean falls, by whatever", "common practice"),
        Method(
            "Single draw flips",
            single_draw_flip,
            "one trial right before, one trial wrong after",
            "common practice; Appendix B",
            trials=1,
        ),
    )


def fisher_bh(k_s, n_s, k_t, n_t, rng=None, *, epsilon: Epsilon | None, alpha: float) -> Calls:
    """Rejected by Fisher's test under Benjamini–Hochberg, and a shift of epsilon unless None.

    Examples
    --------
    >>> fisher_bh([50, 25], 50, [42, 24], 50, epsilon=0.2, alpha=0.05).regressed.tolist()
    [False, False]
    >>> fisher_bh([50, 25], 50, [42, 24], 50, epsilon=None, alpha=0.05).regressed.tolist()
    [True, False]
    """
    changed = reject_each(by_table(fisher_exact, k_s, n_s, k_t, n_t), alpha)
    if epsilon is not None:
        changed &= by_table(partial(meets_epsilon, epsilon=epsilon), k_s, n_s, k_t, n_t)
    down, up = by_table(any_drop, k_s, n_s, k_t, n_t)
    return Calls(changed & down, changed & up)


def index_beyond(k_s, n_s, k_t, n_t, rng=None, *, threshold: float) -> Calls:
    """Reliable Change Index below −threshold or above it; no call where it is undefined.

    Items at floor or ceiling on both sides have index 0 and are thereby excluded.

    Examples
    --------
    >>> index_beyond([0, 2, 5, 8], 10, [0, 7, 5, 2], 10, threshold=1.96).regressed.tolist()
    [False, False, False, True]
    """
    index = reliable_change_index(k_s, n_s, k_t, n_t).index
    return Calls(index < -threshold, index > threshold)


def posterior_beyond(k_s, n_s, k_t, n_t, rng=None, *, epsilon: float) -> Calls:
    """Posterior probability of a shift beyond epsilon of at least `PROBABILITY`; see there.

    Examples
    --------
    >>> posterior_beyond([50, 50], 50, [30, 40], 50, epsilon=0.2).regressed.tolist()
    [True, False]
    """

    def decide(*counts):
        found = posterior_shift(*counts, epsilon=epsilon)
        return found.regressed >= PROBABILITY, found.improved >= PROBABILITY

    return Calls(*by_table(decide, k_s, n_s, k_t, n_t))


def mcnemar_pairs(k_s, n_s, k_t, n_t, rng, *, alpha: float) -> Calls:
    """Exact McNemar test on each item's pairs of trials, two-sided p <= alpha; see `pair_trials`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> mcnemar_pairs([50, 25], 50, [30, 24], 50, rng, alpha=0.05).regressed.tolist()
    [True, False]
    """
    b, c = pair_trials(k_s, n_s, k_t, n_t, rng)
    pairs = np.minimum(n_s, n_t)

    def decide(b, _, c, __):
        rejected = mcnemar_exact(b, c) <= alpha
        return rejected & (b > c), rejected & (b < c)

    return Calls(*by_table(decide, b, pairs, c, pairs))


def pair_trials(k_s, n_s, k_t, n_t, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Pair each item's trials at random; b pairs right then wrong, c wrong then right.

    Trials are independent, so trial 7 of the source has no more to do with trial 7 of the target
    than with any other: a random pairing has the distribution of the pairing by number, and the
    counts suffice. Of the longer side, as many trials as the shorter has are drawn.

    Examples
    --------
    >>> b, c = pair_trials([5, 2, 3], [5, 5, 3], [0, 2, 2], [5, 5, 4], np.random.default_rng(1))
    >>> int(b[0]), int(c[0]), bool(b[1] == c[1])
    (5, 0, True)
    """
    pairs = np.minimum(n_s, n_t)
    k_s, k_t = (
        k if np.array_equal(n, pairs) else rng.hypergeometric(k, n - k, pairs)
        for k, n in ((np.asarray(k_s), np.asarray(n_s)), (np.asarray(k_t), np.asarray(n_t)))
    )
    both = rng.hypergeometric(k_s, pairs - k_s, k_t)
    return k_s - both, k_t - both


def _majority(k_s, n_s, k_t, n_t) -> Calls:
    testable = (n_s > 0) & (n_t > 0)
    lost, gained = majority_flips(k_s, np.maximum(n_s, 1), k_t, np.maximum(n_t, 1))
    return Calls(testable & lost, testable & gained)


def _plain(rule: Callable[..., Calls]) -> Callable[..., Calls]:
    """A rule of an item's own counts as a method: each distinct table once, no chance."""

    def call(k_s, n_s, k_t, n_t, rng=None) -> Calls:
        return Calls(*by_table(rule, k_s, n_s, k_t, n_t))

    return call
