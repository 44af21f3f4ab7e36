"""Where requests go, and which key goes with them."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from reliable_change.errors import CollectError

VENDOR = "https://api.openai.com/v1"  # said outright: a variable must not lead requests astray
VENDORS_KEY = "OPENAI_API_KEY"  # the variable in which the vendor's own tools keep it


def host_of(address: str) -> str:
    """Return the host of an API's address.

    Raises
    ------
    CollectError
        If it is no http(s):// address with a host. It is not shown: it may hold a password.

    Examples
    --------
    >>> host_of("http://127.0.0.1:8100/v1")
    '127.0.0.1'
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname
        parts.port  # noqa: B018 - raises if it is no number
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise CollectError(
            "settings: base_url is no address of an API; write all of it, from http:// or https:// "
            "on, like http://127.0.0.1:8000/v1 or https://host/v1"
        )
    return host


def check_address(address: str) -> None:
    """Raise CollectError unless an address is an API's, without a name or password."""
    host_of(address)
    if "@" in urlsplit(address).netloc:  # http libraries write addresses into their logs
        raise CollectError(
            "settings: base_url holds a name or password; put the key into the environment instead"
        )


def is_local(address: str) -> bool:
    """Tell whether an address is this machine's own."""
    host = host_of(address)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_key(variable: str, address: str) -> str | None:
    """Return the key in an environment variable; None for a server here, which needs none.

    Raises
    ------
    CollectError
        As `check_address`, or if the key is missing or cannot be one. It never tells
        anyone to put the vendor's key where it would be sent to another server.
    """
    check_address(address)
    key = os.environ.get(variable, "").strip()
    if not key and is_local(address):
        return None
    if not key:
        raise CollectError(_no_key(variable, address))
    if not key.isascii() or not key.isprintable() or " " in key:
        del key  # so that no traceback shows it
        raise CollectError(f"the value of {variable} holds characters that no key has: set it anew")
    return key


def _no_key(variable: str, address: str) -> str:
    host = host_of(address)
    if variable == VENDORS_KEY and host != host_of(VENDOR):
        return (
            f"no key for {host}: name a variable of its own in the plan, as in "
            'key_variable = "MY_SERVER_KEY", put its key there (export MY_SERVER_KEY=…; any word '
            "if the server asks for none), then start again"
        )
    return f"no key: put it into the environment (export {variable}=…), then start again"


def key_notice(variable: str, address: str) -> str | None:
    """Say what is amiss with the key that requests would carry; None if nothing is."""
    try:
        key = read_key(variable, address)
    except CollectError as error:
        return str(error)
    if key and variable == VENDORS_KEY and host_of(address) != host_of(VENDOR):
        return (
            f"the key in {variable} goes to {host_of(address)}; if it is not that server's, name "
            "another variable as key_variable in the plan"
        )
    return None
