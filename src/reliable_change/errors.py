"""The errors that this package raises on purpose, each one clear line."""

from __future__ import annotations


class ReliableChangeError(Exception):
    """Anything the user can mend: bad input, bad settings, a number that differs."""


class ArchiveError(ReliableChangeError):
    """An archive that does not keep to the schema; names the file, the column and first rows."""


class ParameterError(ReliableChangeError):
    """A setting that no notebook declares, or one of the wrong type or range."""


class LedgerError(ReliableChangeError):
    """A recomputed number differs from the printed one without a listed reason."""


class NotInArchive(ReliableChangeError):
    """The archive lacks what an analysis needs; the message says what, in one line."""


class CollectError(ReliableChangeError):
    """A collection that cannot start or go on; the message says what to do, in one line."""
