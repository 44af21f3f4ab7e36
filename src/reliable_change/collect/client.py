"""The client that asks: openai's, with its own retries off, and what it raises made a failure.

The key is read from the environment when the client is opened. It is kept nowhere but in
openai's client, and leaves it for nowhere but the request's header.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from types import ModuleType

from reliable_change.collect.address import VENDOR, VENDORS_KEY, check_address, is_local, read_key
from reliable_change.collect.failures import (
    NO_SECRETS,
    Failure,
    Secrets,
    failure,
    failure_of_status,
    scrub,
)
from reliable_change.collect.records import Reply, Settings, public_url
from reliable_change.collect.replies import read_reply
from reliable_change.collect.requests import PATHS, check_extra, request_fields
from reliable_change.errors import CollectError

# What `with_raw_response` sends: hand over the response as it came.
RAW = {"X-Stainless-Raw-Response": "true"}
TIMEOUT = 600.0  # seconds for a whole request; a reasoning model may take minutes
PLACEHOLDER = "no-key-needed"
# What the http client raises for a request that no waiting makes sendable, by class.
NEVER_SENT = frozenset({"UnsupportedProtocol", "InvalidURL", "LocalProtocolError"})
NEVER_SENT |= {"TooManyRedirects"}


class OpenAIClient:
    """One way to ask any OpenAI-compatible API, as an asynchronous context manager.

    May be opened again after it was closed, also under another event loop.

    Parameters
    ----------
    settings : the API, its address and what each request carries.
    key_variable : name of the environment variable that holds the key. A server on this machine
        needs none.
    timeout : seconds that a whole request may take.
    transport : stands in for the network, for tests.

    Raises
    ------
    CollectError
        If openai is not installed, the address is none or holds a password, or a field of `extra`
        is not the user's to set; when opened, if the key is missing or cannot be one.
    """

    def __init__(
        self,
        settings: Settings,
        key_variable: str = VENDORS_KEY,
        timeout: float = TIMEOUT,
        *,
        transport: object = None,
    ) -> None:
        check_extra(settings)
        self.settings = settings
        self.key_variable = key_variable
        self.timeout = timeout
        self._transport = transport
        self._address = settings.base_url or VENDOR
        check_address(self._address)
        self._openai = _import_openai()
        self._client = None
        self._secrets = NO_SECRETS

    def __repr__(self) -> str:
        where = public_url(self._address)
        return f"OpenAIClient({self.settings.api} at {where}, key from {self.key_variable})"

    async def __aenter__(self) -> OpenAIClient:
        local = is_local(self._address)
        key = read_key(self.key_variable, self._address)
        self._secrets = Secrets([key] if key else [])
        self._client = self._openai.AsyncOpenAI(
            api_key=key or PLACEHOLDER,
            base_url=self._address,
            max_retries=0,
            timeout=self.timeout,
            http_client=self._openai.DefaultAsyncHttpxClient(
                transport=self._transport,
                trust_env=not local,  # a proxy is for what is elsewhere
            ),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        client, self._client, self._secrets = self._client, None, NO_SECRETS
        await client.close()

    async def ask(self, model: str, prompt: str) -> Reply:
        """Send one prompt to a model and return its reply.

        Raises
        ------
        Failure
            If there is none; says whether another try may help.
        """
        answer = await self._try(request_fields(self.settings, model, prompt))
        if isinstance(answer, Failure):
            # Raised here, so that it drags along nothing that was sent or came back.
            raise answer.with_traceback(None)
        return answer

    async def _try(self, fields: dict[str, object]) -> Reply | Failure:
        try:
            async with asyncio.timeout(self.timeout):
                answer = (await self._post(fields)).http_response
        except Exception as error:
            return self._read_error(error)
        body = _decode(answer.content)
        if isinstance(body, Failure):
            return body
        try:
            request_id = answer.headers.get("x-request-id")
            return read_reply(self.settings.api, body, request_id, self._secrets)
        except Failure as failed:
            return failed

    def _post(self, fields: dict[str, object]) -> Awaitable:
        """Send a body as it is; the typed methods copy and check it, at half the cost of asking."""
        path = PATHS[self.settings.api]
        return self._client.post(path, body=fields, cast_to=object, options={"headers": RAW})

    def _read_error(self, error: Exception) -> Failure:
        openai, secrets = self._openai, self._secrets
        if isinstance(error, openai.APITimeoutError | TimeoutError):
            return failure("timeout", f"no reply within {self.timeout:g} s")
        if isinstance(error, openai.APIStatusError):
            answer = error.response
            body = _decode(answer.content)
            if isinstance(body, Failure):
                body = body.message
            return failure_of_status(error.status_code, answer.headers, body, secrets)
        if isinstance(error, openai.APIConnectionError):
            return _read_connection_error(error.__cause__ or error, secrets)
        if isinstance(error, UnicodeError):
            return failure("bad_request", "the prompt holds text that is not valid Unicode")
        kind = "bad_address" if type(error).__name__ in NEVER_SENT else "unexpected"
        return failure(kind, f"{type(error).__name__}: {error}", secrets=secrets)


def _read_connection_error(cause: BaseException, secrets: Secrets) -> Failure:
    name = type(cause).__name__
    if name == "LocalProtocolError":  # its text may quote the header with the key in bytes
        return failure("bad_address", "a header holds what HTTP does not allow")
    said = scrub(f"{name}: {cause}" if str(cause) else name, secrets)
    hopeless = name in NEVER_SENT or "CERTIFICATE_VERIFY_FAILED" in said
    return failure("bad_address" if hopeless else "connection", said)


def _decode(content: bytes) -> object:
    """Return the JSON value of a body, or a failure that says what it is instead."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        pass
    start = content.lstrip()[:1]
    if not start:
        return failure("malformed", "an empty body in place of a reply", status=200)
    what = "HTML" if start == b"<" else "cut or broken JSON" if start in b"{[" else "text"
    return failure("malformed", f"{what} in place of a reply", status=200)


def _import_openai() -> ModuleType:
    try:
        import openai
    except ImportError:
        raise CollectError(
            "collecting needs the openai client: pip install 'reliable-change[collect]'"
        ) from None
    return openai
