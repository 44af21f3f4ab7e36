"""How long the comparison of methods takes, beside the loops anyone would write.

Everything is measured in one run, as processor time of one core. The loops are run on a part of the
work and scaled up; the notes say on what part.
"""

from __future__ import annotations

from time import process_time

import numpy as np
from scipy.integrate import quad
from scipy.stats import beta, binomtest, bootstrap, fisher_exact
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from reliable_change.stats.beta_binomial import posterior_shift
from reliable_change.stats.bootstrap import stratified_bootstrap
from reliable_change.stats.dealing import shuffled_labels
from reliable_change.stats.fisher import margin
from reliable_change.stats.known_truth import draw_trials, plant
from reliable_change.stats.methods import item_methods, pair_trials

K, ITEMS, DRAWS, RESAMPLES = 50, 300, 200, 2000
COMPARED = ("Fisher + BH + ε", "z-test", "Wilson apart", "McNemar on pairs")


def run() -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    return [false_alarms(), posteriors(), bootstraps()]


def null(draws: int, seed: int = 1) -> tuple[np.ndarray, ...]:
    """Counts of a cell with shuffled labels, `draws` times."""
    rng = np.random.default_rng(seed)
    k_s, n_s, k_t, n_t = draw_trials(plant(1, ITEMS, rng=rng), K, rng)
    return shuffled_labels(k_s[0], n_s, k_t[0], n_t, rng, size=(draws, ITEMS))


def called_at_once(counts, seed: int = 2) -> dict[str, int]:
    """Calls of the compared methods, by ours."""
    rng = np.random.default_rng(seed)
    methods = [method for method in item_methods() if method.name in COMPARED]
    found = {method.name: method.call(*counts, rng) for method in methods}
    return {name: int((calls.regressed | calls.improved).sum()) for name, calls in found.items()}


def called_one_by_one(counts, seed: int = 2) -> dict[str, int]:
    """The same, draw by draw and item by item, with scipy and statsmodels."""
    k_source, n_s, k_target, n_t = counts
    losses, gains = pair_trials(*counts, np.random.default_rng(seed))
    found = dict.fromkeys(COMPARED, 0)
    for row_s, row_t, row_b, row_c in zip(k_source, k_target, losses, gains, strict=True):
        p = []
        for a, n, c, m, lost, gained in zip(row_s, n_s, row_t, n_t, row_b, row_c, strict=True):
            p.append(fisher_exact([[a, n - a], [c, m - c]]).pvalue)
            if 0 < a + c < n + m:
                found["z-test"] += proportions_ztest([a, c], [n, m])[1] <= 0.05
            before = proportion_confint(a, n, method="wilson")
            after = proportion_confint(c, m, method="wilson")
            found["Wilson apart"] += after[1] < before[0] or before[1] < after[0]
            if lost + gained:
                found["McNemar on pairs"] += binomtest(int(lost), int(lost + gained)).pvalue <= 0.05
        large = np.abs(row_s / n_s - row_t / n_t) >= 0.2
        found[COMPARED[0]] += int((multipletests(p, method="fdr_bh")[0] & large).sum())
    return {name: int(count) for name, count in found.items()}


def false_alarms(draws: int = DRAWS, part: int = 2) -> dict:
    margin.cache_clear()  # nothing is known beforehand
    ours, _ = seconds(called_at_once, null(draws))
    loop, _ = seconds(called_one_by_one, null(part))
    note = f"loop: {part} of {draws} draws of a cell of {ITEMS} items, scaled"
    return row(
        f"{len(COMPARED)} methods under shuffled labels (s)", ours, loop / part * draws, note
    )


def posterior_one_by_one(tables) -> list[float]:
    """Posterior probability of a regression beyond 0.2 by scipy's quadrature, table by table."""
    found = []
    for a, c in tables:
        source, target = beta(a + 0.5, K - a + 0.5), beta(c + 0.5, K - c + 0.5)
        value, _ = quad(lambda u, s=source, t=target: t.cdf(s.ppf(u) - 0.2), 0, 1, limit=200)
        found.append(value)
    return found


def posteriors(part: int = 20) -> dict:
    k_s, k_t = np.meshgrid(np.arange(K + 1), np.arange(K + 1), indexing="ij")
    ours, _ = seconds(posterior_shift, k_s, K, k_t, K)
    tables = np.random.default_rng(3).integers(0, K + 1, (part, 2))
    loop, _ = seconds(posterior_one_by_one, tables)
    note = f"loop: scipy's quad on {part} of {k_s.size:,} tables, one direction, scaled"
    return row("posteriors of all 51 × 51 tables (s)", ours, loop / part * k_s.size, note)


def intervals_at_once(rows: np.ndarray) -> np.ndarray:
    found = stratified_bootstrap(
        rows, np.zeros(rows.shape[1]), resamples=RESAMPLES, rng=np.random.default_rng(4)
    )
    return np.concatenate([found.low, found.high], axis=1)


def intervals_one_by_one(rows: np.ndarray) -> np.ndarray:
    found = []
    for number, values in enumerate(rows):
        interval = bootstrap(
            (values,),
            np.mean,
            n_resamples=RESAMPLES,
            method="percentile",
            rng=np.random.default_rng(number),
        ).confidence_interval
        found.append((interval.low, interval.high))
    return np.array(found)


def bootstraps(draws: int = DRAWS, part: int = 10) -> dict:
    k_s, n_s, k_t, n_t = null(draws)
    rows = k_t / n_t - k_s / n_s
    ours, _ = seconds(intervals_at_once, rows)
    loop, _ = seconds(intervals_one_by_one, rows[:part])
    note = f"loop: scipy's bootstrap on {part} of {draws} draws of {ITEMS} items, scaled"
    return row(f"{RESAMPLES:,} resamples of {draws} draws (s)", ours, loop / part * draws, note)


def seconds(function, *args):
    start = process_time()
    result = function(*args)
    return process_time() - start, result


def row(name: str, ours: float, theirs: float, note: str) -> dict:
    return {"name": name, "ours": ours, "theirs": theirs, "ratio": theirs / ours, "note": note}


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
