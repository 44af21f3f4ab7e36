"""When to try again: backoff with jitter, and a pause for all where the server wants one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

import numpy as np

# A wait that the server asked for is lengthened by up to this share of it, so that workers who
# were sent away together do not come back together.
SPREAD = 0.1
LONGEST_WAIT = 86_400.0  # seconds; a server that asks for more is asked again after a day


@dataclass(frozen=True)
class Backoff:
    """Exponential backoff with full jitter.

    Parameters
    ----------
    first : seconds that the wait after a first failed try is below.
    cap : seconds that no wait of our own exceeds.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> [round(Backoff().delay(n, rng), 2) for n in (1, 2, 3, 1000)]
    [0.64, 0.54, 0.16, 0.99]
    """

    first: float = 1.0
    cap: float = 60.0

    def delay(self, failed: int, rng: np.random.Generator) -> float:
        """Return the seconds to wait after a number of tries that failed in a row, from 1.

        Uniform between 0 and first × 2^(failed − 1), or cap if that is less.
        """
        return rng.random() * min(self.cap, self.first * 2.0 ** min(failed - 1, 60))


class Pause:
    """Until when everybody holds off, because the server asked one of them to wait.

    A rate limit holds for the whole account: others that go on asking would only be sent away,
    too, and some servers lengthen the wait for every request that comes before its end.

    >>> pause = Pause()
    >>> pause.extend(now=10.0, seconds=5.0)
    >>> pause.extend(now=11.0, seconds=1.0)
    >>> pause.left(now=12.0), pause.left(now=15.0)
    (3.0, 0.0)
    """

    def __init__(self) -> None:
        self._until = float("-inf")

    def extend(self, now: float, seconds: float) -> None:
        """Hold off for so many seconds from now, or as long as before if that is longer."""
        self._until = max(self._until, now + seconds)

    def left(self, now: float) -> float:
        """Return the seconds that are left of the pause, 0 if it is over."""
        return max(0.0, self._until - now)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a server asks to wait, or None if it says nothing usable.

    Read from `retry-after-ms`, then from `Retry-After` as seconds or as an HTTP date. What is
    not a number above 0, or a date not after `now` (seconds since 1970), is unusable. At most a
    day.

    Parameters
    ----------
    headers : names in any case if the mapping does not mind, otherwise in lower case.

    Examples
    --------
    >>> retry_after({"retry-after": "130"}, 0), retry_after({"retry-after-ms": "1500"}, 0)
    (130.0, 1.5)
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, 20.0)
    40.0
    >>> [retry_after({"retry-after": value}, 1e9) for value in ("nan", "0", "-3", "soon")]
    [None, None, None, None]
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            seconds = _seconds_until(value, now)
        if math.isfinite(seconds) and seconds > 0:
            return min(seconds, LONGEST_WAIT)
    return None


def _seconds_until(date: str, now: float) -> float:
    try:
        moment = parsedate_to_datetime(date)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, TypeError, OverflowError, OSError):
        return math.nan
