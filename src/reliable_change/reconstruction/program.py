"""Yes-or-no programs: choose candidates for groups so that linear conditions hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.constraints import Rows

TIME_LIMIT = 60.0


def solve_binary(
    cost: np.ndarray,
    constraints: Sequence[LinearConstraint],
    *,
    what: str,
    allowed: np.ndarray | int = 1,
    time_limit: float = TIME_LIMIT,
    gap: float = 0.5,
) -> np.ndarray:
    """
    Find a cheap 0/1 vector that satisfies ``constraints``.

    Parameters
    ----------
    cost : ndarray of float, shape (variables,)
        Not negative. Random costs make the solution a random one.
    constraints : sequence of scipy.optimize.LinearConstraint
    what : str
        Named in the error.
    allowed : ndarray of int, or 1
        0 where a variable must stay 0.
    time_limit : float
        Seconds before the search is given up.
    gap : float
        Relative distance from the least cost that is good enough: any solution is as true as
        another, so the first decent one will do.

    Returns
    -------
    ndarray of bool, shape (variables,)

    Raises
    ------
    ReliableChangeError
        If the conditions contradict each other, or no solution is found in time.
    """
    result = milp(
        cost,
        integrality=np.ones(len(cost)),
        bounds=Bounds(0, allowed),
        constraints=constraints,
        options={"time_limit": time_limit, "mip_rel_gap": gap},
    )
    if result.x is None:
        raise ReliableChangeError(f"{what}: no solution found: {result.message.strip()}")
    return np.rint(result.x).astype(bool)


def choose(
    shared: Rows | None,
    groups: dict[str, Rows],
    *,
    cost: np.ndarray,
    what: str,
    use_all: bool = False,
    **options: float,
) -> dict[str, np.ndarray]:
    """
    Choose candidates for each group, each candidate once at most.

    Parameters
    ----------
    shared : Rows or None
        Conditions on what all groups choose together.
    groups : dict of str to Rows
        Conditions on what each group chooses.
    cost : ndarray of float, shape (groups, candidates)
        Cost of a candidate in a group, not negative.
    what : str
        Named in the error.
    use_all : bool
        Whether every candidate must go to some group.
    **options
        ``time_limit`` and ``gap`` of :func:`solve_binary`, which also says what is raised.

    Returns
    -------
    dict of str to ndarray of int
        For each group the positions of its candidates, rising.
    """
    n = cost.shape[1]
    together = sparse.hstack([sparse.eye(n, format="csr")] * len(groups), format="csr")
    constraints = [_side_by_side(groups), LinearConstraint(together, int(use_all), 1)]
    if shared is not None:
        matrix = sparse.csr_matrix(shared.matrix) @ together
        constraints.append(LinearConstraint(matrix, shared.low, shared.high))
    chosen = solve_binary(cost.ravel(), constraints, what=what, **options).reshape(cost.shape)
    return {name: np.flatnonzero(row) for name, row in zip(groups, chosen, strict=True)}


def _side_by_side(groups: dict[str, Rows]) -> LinearConstraint:
    """Each group's own conditions, on its own variables."""
    matrix = sparse.block_diag([sparse.csr_matrix(g.matrix) for g in groups.values()], "csr")
    low, high = (np.concatenate([getattr(g, s) for g in groups.values()]) for s in ("low", "high"))
    return LinearConstraint(matrix, low, high)
