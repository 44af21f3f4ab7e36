"""Worlds in which it is known which items changed, to see what a method misses and invents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# How items are: always right, always wrong, and the rest anywhere, rather near the ends.
ALWAYS, NEVER = 0.35, 0.20
BETWEEN = (0.6, 0.6)


@dataclass(frozen=True)
class World:
    """Chances of a correct trial on both sides, and what was planted; shape (worlds, items).

    `direction` is −1 for a planted regression, 1 for an improvement, 0 for an unchanged item.
    """

    p_source: np.ndarray
    p_target: np.ndarray
    direction: np.ndarray


def plant(
    worlds: int,
    items: int,
    *,
    regressed: float = 0.10,
    improved: float = 0.10,
    size: float = 0.40,
    tossed: bool = False,
    rng: np.random.Generator,
) -> World:
    """Draw items and change a stated share of them by a stated size, the others not at all.

    Parameters
    ----------
    worlds, items : int
        How many cells, of how many items each; at least 1.
    regressed, improved : float
        Shares of the items that lose, or gain, `size`; rounded to whole items.
    size : float
        Change of the chance of a correct trial, in (0, 1].
    tossed : bool
        Whether only the number of changes is fixed in each world, and chance decides for each if it
        is a loss, in the proportion of the shares.
    rng : numpy.random.Generator
        The only source of chance.

    Returns
    -------
    World

    Raises
    ------
    ValueError
        A parameter out of range, or too few items with room for the change.

    Notes
    -----
    Of the items, 35 % are always right on the source, 20 % never, and the others are drawn from
    Beta(0.6, 0.6): most items of a benchmark are settled, as in archives of repeated trials. A
    planted change falls on items that have room for it in full, all equally likely.

    Examples
    --------
    >>> world = plant(3, 100, regressed=0.1, improved=0.05, size=0.3, rng=np.random.default_rng(1))
    >>> (world.direction == -1).sum(axis=1).tolist(), (world.direction == 1).sum(axis=1).tolist()
    ([10, 10, 10], [5, 5, 5])
    >>> shift = world.p_target - world.p_source
    >>> sorted(set(shift.round(9).ravel().tolist()))
    [-0.3, 0.0, 0.3]
    """
    if worlds < 1 or items < 1:
        raise ValueError("a world needs an item, and there must be a world")
    if not 0 < size <= 1:
        raise ValueError(f"size must lie in (0, 1], not {size!r}")
    if min(regressed, improved) < 0 or regressed + improved > 1:
        raise ValueError("shares are at least 0 and sum to at most 1")
    kind = rng.random((worlds, items))
    between = rng.beta(*BETWEEN, (worlds, items))
    p = np.select([kind < ALWAYS, kind < ALWAYS + NEVER], [1.0, 0.0], between)
    losses, gains = (np.full(worlds, round(share * items)) for share in (regressed, improved))
    if tossed and regressed + improved > 0:
        changes = losses + gains
        losses = rng.binomial(changes, regressed / (regressed + improved))
        gains = changes - losses
    down = _some(p >= size, losses, rng)
    up = _some((p <= 1 - size) & ~down, gains, rng)
    direction = up.astype(np.int64) - down
    return World(p, np.clip(p + size * direction, 0, 1), direction)


def _some(eligible: np.ndarray, number: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Mark so many eligible places of each row at random as `number` has for it."""
    if np.any(eligible.sum(axis=1) < number):
        raise ValueError("too few items have room for the change: plant fewer, or smaller ones")
    order = np.argsort(np.where(eligible, rng.random(eligible.shape), np.inf), axis=1)
    marked = np.zeros(eligible.shape, dtype=bool)
    chosen = np.arange(eligible.shape[1]) < number[:, None]
    np.put_along_axis(marked, order, chosen, axis=1)
    return marked


def draw_trials(world: World, trials: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Counts of `trials` independent trials of every item on both sides.

    Returns
    -------
    k_source, n_source, k_target, n_target
        k of the world's shape, n of shape (items,).

    Examples
    --------
    >>> world = plant(2, 50, rng=np.random.default_rng(1))
    >>> k_source, n_source, k_target, n_target = draw_trials(world, 10, np.random.default_rng(2))
    >>> k_source.shape, int(n_target.min()), bool((k_source[world.p_source == 1] == 10).all())
    ((2, 50), 10, True)
    """
    n = np.full(world.p_source.shape[-1], trials, dtype=np.int64)
    return rng.binomial(n, world.p_source), n, rng.binomial(n, world.p_target), n
