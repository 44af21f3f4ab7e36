"""An address is one or is refused in words, and the vendor's key is asked for by nobody else."""

from __future__ import annotations

import pytest

from reliable_change.collect.address import VENDOR, VENDORS_KEY, host_of, key_notice, read_key
from reliable_change.collect.records import Settings
from reliable_change.errors import CollectError

ELSEWHERE = "https://models.example/v1"


@pytest.mark.parametrize("address", ["127.0.0.1:8100", "localhost:8000/v1", "host/v1", "", "http:"])
def test_an_address_without_its_beginning_is_refused_with_the_right_form(address):
    for use in (host_of, lambda base_url: Settings(base_url=base_url)):
        with pytest.raises(
            CollectError, match="http:// or https:// on, like http://127.0.0.1:8000"
        ):
            use(address)


def test_no_hint_puts_the_vendors_key_where_another_server_gets_it(monkeypatch):
    monkeypatch.delenv(VENDORS_KEY, raising=False)
    with pytest.raises(CollectError) as caught:
        read_key(VENDORS_KEY, ELSEWHERE)
    assert VENDORS_KEY not in str(caught.value)
    assert "no key for models.example" in str(caught.value)
    assert "key_variable" in str(caught.value)
    assert key_notice(VENDORS_KEY, ELSEWHERE) == str(caught.value)
    assert f"export {VENDORS_KEY}=" in key_notice(VENDORS_KEY, VENDOR)


def test_the_variable_that_the_plan_names_is_named(monkeypatch):
    monkeypatch.delenv("SERVERS_KEY", raising=False)
    assert "export SERVERS_KEY=" in key_notice("SERVERS_KEY", ELSEWHERE)
    monkeypatch.setenv("SERVERS_KEY", "word")
    assert key_notice("SERVERS_KEY", ELSEWHERE) is None
    assert key_notice("NO_SUCH_KEY", "http://127.0.0.1:8100/v1") is None


def test_the_vendors_key_on_its_way_elsewhere_is_pointed_out_and_not_shown(monkeypatch):
    monkeypatch.setenv(VENDORS_KEY, "sk-hidden")
    said = key_notice(VENDORS_KEY, ELSEWHERE)
    assert said.startswith(f"the key in {VENDORS_KEY} goes to models.example")
    assert "sk-hidden" not in said
    assert key_notice(VENDORS_KEY, VENDOR) is None


def test_a_password_in_an_address_is_a_notice_without_it():
    said = key_notice("K", "https://me:hidden@models.example/v1")
    assert "password" in said
    assert "hidden" not in said
