"""``python -m reliable_change.collect.practice ARCHIVE``: the practice server by itself."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence

from reliable_change.archive.read import read_archive
from reliable_change.collect.practice.faults import KINDS, ODD_REPLIES, PERMANENT, Faults, evenly
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.errors import CollectError, ReliableChangeError

DESCRIPTION = """\
Answer like an OpenAI-compatible API with the replies of an archive, on this machine only, and
misbehave as told. No key is needed: any will do. A fault hits an attempt and uses up no reply,
so that collecting as many trials as the archive holds gives exactly its texts.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM, then say how requests were answered."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        archive = read_archive(given.archive)
        rates = dict(_rate(text) for text in given.fault)
        everything = evenly(rates.pop("all", 0.0)).rates
        server = PracticeServer(
            archive,
            Faults({kind: rate for kind, rate in {**everything, **rates}.items() if rate}),
            delay=given.delay,
            seed=given.seed,
            port=given.port,
            quota=given.quota,
        )
        with server:
            print(_introduction(archive, server), flush=True)
            _until_stopped()
            log = server.log()
    except ReliableChangeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    counted = log.groupby("outcome")["requests"].sum()
    print("\nstopped; requests by outcome:")
    print("\n".join(f"  {kind}: {count}" for kind, count in counted.items()) or "  none")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reliable_change.collect.practice",
        description=DESCRIPTION,
        epilog=_kinds(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("archive", help="a name in data/archives or a folder; with texts")
    parser.add_argument("--port", type=int, default=8100, help="default: 8100; 0 is any")
    parser.add_argument(
        "--delay", type=float, default=0.2, metavar="S", help="seconds to an answer; default: 0.2"
    )
    parser.add_argument("--seed", type=int, default=0, help="which attempts are hit; default: 0")
    parser.add_argument(
        "--quota", type=int, metavar="N", help="refuse everything as over quota after N replies"
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND=RATE",
        help="a share of the requests, such as html=0.05; may be repeated. all=0.3 spreads 0.3 "
        "over the transient kinds",
    )
    return parser


def _kinds() -> str:
    lines = ["kinds of faults:"]
    for kind, (meaning, _) in KINDS.items():
        note = " (permanent)" if kind in PERMANENT else " (a reply)" if kind in ODD_REPLIES else ""
        lines.append(f"  {kind:<14} {meaning}{note}")
    return "\n".join(lines)


def _rate(text: str) -> tuple[str, float]:
    kind, _, rate = text.partition("=")
    try:
        return kind, float(rate)
    except ValueError:
        raise CollectError(f"--fault {text}: write KIND=RATE, such as html=0.05") from None


def _introduction(archive, server: PracticeServer) -> str:
    manifest = archive.manifest
    kind = "synthetic data" if manifest.synthetic else f"{manifest.kind} replies"
    return (
        f"Replaying {manifest.name} ({kind}): {server.waiting()} replies\n"
        f"{manifest.description}\n"
        f"Models: {', '.join(manifest.models)}\n"
        f"Address (base_url): {server.base_url}\n"
        "Stop with Ctrl-C"
    )


def _until_stopped() -> None:
    stopped = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: stopped.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        while not stopped.wait(1.0):  # a wait without end would not hear the signal everywhere
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
