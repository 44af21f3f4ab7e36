"""The prompts: a minimal task statement and a final answer line (§3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

PROMPT_VERSION = "1"
"""Changes with any wording below; it is kept in the archive's manifest."""

_CHOOSE = "Choose the one correct option. End your reply with a line of the form\nAnswer: LETTER"
_SOLVE = "Solve the problem. End your reply with a line of the form\nAnswer: RESULT"


def choice_prompt(question: str, options: Sequence[str]) -> str:
    """A question with lettered options, and how to answer it.

    Examples
    --------
    >>> print(choice_prompt("Which is a prime number?", ["8", "7"]))
    Which is a prime number?
    <BLANKLINE>
    A) 8
    B) 7
    <BLANKLINE>
    Choose the one correct option. End your reply with a line of the form
    Answer: LETTER
    """
    lettered = [f"{letter}) {text}" for letter, text in zip(ascii_uppercase, options, strict=False)]
    return "\n\n".join([question.strip(), "\n".join(lettered), _CHOOSE])


def problem_prompt(problem: str) -> str:
    """A mathematical problem, and how to answer it.

    Examples
    --------
    >>> print(problem_prompt("How many primes are below 10?"))
    How many primes are below 10?
    <BLANKLINE>
    Solve the problem. End your reply with a line of the form
    Answer: RESULT
    """
    return f"{problem.strip()}\n\n{_SOLVE}"
