"""One answer a side, held against what many trials say of the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.reliable_change_index import DETERIORATED, IMPROVED, UNCHANGED


@dataclass(frozen=True)
class SingleShot:
    """One answer a side held against the index: counts of items, and two rates in [0, 1].

    Of `changed` items (beyond the threshold), `missed` did not flip and `wrong_way` flipped
    against their shift; of `unchanged` ones `false_flags` flipped. Of all `flips` of analysable
    items those on unchanged ones are a share `flips_in_vain`. Rates are NaN without a denominator.
    """

    changed: int
    missed: int
    wrong_way: int
    unchanged: int
    false_flags: int
    flips: int
    missed_rate: float
    false_flag_rate: float
    flips_in_vain: float


def single_shot(classes: ArrayLike, flip: ArrayLike) -> SingleShot:
    """What an evaluation that asks each item once misses and falsely flags, the index being right.

    Parameters
    ----------
    classes : array_like of str, shape (items,)
        From `index_classes`; items that are excluded, undefined or not testable are left out.
    flip : array_like of int, shape (items,)
        Verdict of the target's one answer minus the source's: −1, 0 or 1.

    Raises
    ------
    ValueError
        Shapes that differ, or a flip that is none of the three.

    References
    ----------
    "Beyond the Mean", section 3D: a miss is a changed item that did not flip, a false flag an
    unchanged item that did.

    Examples
    --------
    >>> found = single_shot(
    ...     ["improved", "improved", "deteriorated", "no reliable change", "excluded"],
    ...     [1, 0, 1, -1, 0],
    ... )
    >>> found.missed, found.wrong_way, found.false_flags, round(found.missed_rate, 3)
    (1, 1, 1, 0.333)
    """
    classes, flip = np.asarray(classes), np.asarray(flip)
    if classes.shape != flip.shape or not np.isin(flip, (-1, 0, 1)).all():
        raise ValueError("each item has one class and one flip of -1, 0 or 1")
    wanted = np.select([classes == IMPROVED, classes == DETERIORATED], [1, -1], default=0)
    changed, unchanged = wanted != 0, classes == UNCHANGED
    missed = int(np.sum(changed & (flip == 0)))
    wrong_way = int(np.sum(changed & (flip == -wanted)))
    false_flags = int(np.sum(unchanged & (flip != 0)))
    flips = int(np.sum((changed | unchanged) & (flip != 0)))
    return SingleShot(
        changed=int(changed.sum()),
        missed=missed,
        wrong_way=wrong_way,
        unchanged=int(unchanged.sum()),
        false_flags=false_flags,
        flips=flips,
        missed_rate=_rate(missed, changed.sum()),
        false_flag_rate=_rate(false_flags, unchanged.sum()),
        flips_in_vain=_rate(false_flags, flips),
    )


def _rate(count: int, of: int) -> float:
    return float(count / of) if of else np.nan
