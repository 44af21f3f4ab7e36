"""One trial of an item and model, drawn so that it depends on nothing else."""

from __future__ import annotations

import json
from hashlib import blake2b
from operator import index

SINGLE_DRAW_SEED = 20260817


def draw_trial(seed: int, benchmark: str, item_id: str, model: str, n: int) -> int:
    """Draw a position among the `n` scored trials of one item and model, uniformly.

    Parameters
    ----------
    seed : int
        Any whole number of at most 64 digits.
    benchmark, item_id, model : str
        Whose trials they are.
    n : int
        Number of trials to choose from, at least 1.

    Returns
    -------
    int
        In [0, n): a position among the scored trials in trial order, not a trial number.

    Raises
    ------
    ValueError
        `n` is below 1, or the seed is too long.

    Notes
    -----
    A keyed hash (BLAKE2b, RFC 7693; 128 bits, key = the seed in decimal, message = the JSON list
    of the three names) taken modulo `n`. The choice therefore depends on no library's random
    stream, no row order and no other item. The modulo favours some positions by less than
    n / 2**128.

    Examples
    --------
    >>> draw_trial(SINGLE_DRAW_SEED, "IFBench", "7", "gpt-5.4", 50)
    46
    """
    if n < 1:
        raise ValueError(f"no trial to draw from: n = {n}")
    message = json.dumps([benchmark, item_id, model]).encode("ascii")
    digest = blake2b(message, digest_size=16, key=str(index(seed)).encode("ascii")).digest()
    return int.from_bytes(digest, "big") % n
