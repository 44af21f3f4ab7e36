"""What is sent: settings, model and prompt as the body of a request, and where it goes."""

from __future__ import annotations

from reliable_change.collect.records import Settings
from reliable_change.errors import CollectError

PATHS = {"responses": "/responses", "chat": "/chat/completions"}

# What the collector itself decides: a reply of another form could not be read, and trials of
# one request would not be independent.
OURS = frozenset({"model", "messages", "input", "stream", "n", "background"})


def check_extra(settings: Settings) -> None:
    """Refuse further fields that would take the place of what the collector sends.

    Raises
    ------
    CollectError
        If there is one; names it.
    """
    taken = sorted(OURS & settings.extra.keys())
    if taken:
        raise CollectError(
            f"settings: extra may not hold {', '.join(taken)}: one trial is one whole reply to"
            " one prompt; leave it out"
        )


def request_fields(settings: Settings, model: str, prompt: str) -> dict[str, object]:
    """Return the body of a request for a response or a chat completion.

    One user message and nothing before it. A setting that is None is left out, so that the
    server decides. Responses are asked not to be stored; Chat Completions are not unless asked.
    The cap on output tokens is `max_completion_tokens` in Chat Completions; a server that knows
    only the older `max_tokens` takes it by way of `extra`, whose fields are sent verbatim and
    win over all others.

    >>> fields = request_fields(Settings(), "gpt-5.5", "2 + 2?")
    >>> fields["input"], fields["reasoning"], fields["store"]
    ([{'role': 'user', 'content': '2 + 2?'}], {'effort': 'medium'}, False)
    >>> request_fields(Settings("chat", reasoning_effort=None), "tiny", "2 + 2?")
    {'model': 'tiny', 'messages': [{'role': 'user', 'content': '2 + 2?'}]}
    """
    said = [{"role": "user", "content": prompt}]
    effort = settings.reasoning_effort
    if settings.api == "responses":
        fields = {
            "input": said,
            "store": False,
            "reasoning": None if effort is None else {"effort": effort},
            "temperature": settings.temperature,
            "max_output_tokens": settings.max_output_tokens,
        }
    else:
        fields = {
            "messages": said,
            "reasoning_effort": effort,
            "temperature": settings.temperature,
            "max_completion_tokens": settings.max_output_tokens,
        }
    given = {name: value for name, value in fields.items() if value is not None}
    return {"model": model} | given | dict(settings.extra)
