"""`kortstalis pods`: what the seat pods say and show, and simulated ones."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.failure import Failure

if TYPE_CHECKING:
    from appliance.podlink import Outputs, PodEvent
    from appliance.pods import Pods

_GREETING_S = 3.0
_HELD_S = 0.1  # a simulated press
COLOURS = {
    "off": (0, 0, 0), "white": (255, 255, 255), "red": (255, 0, 0), "green": (0, 255, 0),
    "blue": (0, 0, 255), "amber": (255, 120, 0),
}  # fmt: skip


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `pods`."""
    parser = subparsers.add_parser("pods", help="the seat pods")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = actions.add_parser(name, help=text)
        added.set_defaults(run=run)
        if name not in ("list", "simulate"):
            added.add_argument("--device", metavar="PATH", help="the pods' device (else the first found)")
        if name != "simulate":
            added.add_argument("--json", action="store_true", help="the result as JSON")
        return added

    action("list", "the devices that may be pods, and what they say", run_list)
    watch = action("watch", "print each press until interrupted", run_watch)
    watch.add_argument("--seconds", type=_seconds, metavar="S", help="stop after so long")
    watch.add_argument("--count", type=_count, metavar="N", help="stop after so many presses and releases")
    lamp = action("lamp", "light a lamp, or try all lamps in all colours", run_lamp)
    lamp.add_argument("pod", type=_number, nargs="?", metavar="POD", help="the pod, from 1")
    lamp.add_argument("colour", nargs="?", default="white", choices=COLOURS, metavar="COLOUR",
                      help=", ".join(COLOURS))  # fmt: skip
    lamp.add_argument("--seconds", type=_seconds, default=1.0, metavar="S", help="for how long")
    light = action("light", "set the ring light", run_light)
    light.add_argument("level", type=_number, metavar="PERCENT", help="0 (off) to 100")
    action("version", "the board and its firmware", run_version)
    simulate = action("simulate", "simulated pods on a pseudo-terminal; prints its name", run_simulate)
    simulate.add_argument("--link", type=Path, metavar="PATH", help="a name of its own for the terminal")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: not a number of seconds")
    return value


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text}: not a number from 0")
    return int(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not int(text):
        raise argparse.ArgumentTypeError(f"{text}: not a number from 1")
    return int(text)


def run_list(args: argparse.Namespace) -> int:
    """Prints each device with what it says; 1 if none of them is pods."""
    from appliance.pods import find_devices

    devices, answered, listed = find_devices(), 0, []
    for path in devices:
        try:
            with _Greeted(path) as pods:
                said = described(pods)
                answered += 1
        except Failure as failure:
            said = {"device": path, "error": str(failure)}
        listed.append(said)
        if not args.json:
            _print(said, as_json=False)
    if args.json:
        print(json.dumps(listed, ensure_ascii=False))
    if not devices:
        print("kortstalis: no seat pods are connected", file=sys.stderr)
    return 0 if answered else 1


def run_watch(args: argparse.Namespace) -> int:
    """Prints presses; ends with an error when the pods go."""
    names = ("take", "call")
    left = args.count
    greeted = _Greeted(args.device)
    with greeted as pods:
        end = None if args.seconds is None else time.monotonic() + args.seconds
        for now in _ticks(end):
            events, greeted.early = (*greeted.early, *_poll(pods, now)), ()
            for event in events:
                result = {"seat": event.pod + 1, "button": names[event.button], "down": event.down}
                _print(result, args.json)
                if left is not None:
                    left -= 1
                    if left <= 0:
                        return 0
    return 0


def run_lamp(args: argparse.Namespace) -> int:
    """Lights one lamp, or every lamp in every colour; the ring light is as the configuration has it."""
    from appliance.podlink import Lamp, Outputs

    light = round(255 * _configured_light())
    with _Greeted(args.device) as pods:
        _require(pods, "lamps")
        if not pods.link.pods:
            raise Failure(f"{pods.device}: this board has no pods")
        if args.pod is not None and not 1 <= args.pod <= pods.link.pods:
            raise Failure(f"there is no pod {args.pod}: there are 1 to {pods.link.pods}")
        wanted = [(args.pod, args.colour)]
        if args.pod is None:
            colours = ("red", "green", "blue", "white")
            wanted = [(pod, colour) for pod in range(1, pods.link.pods + 1) for colour in colours]
        for pod, colour in wanted:
            lamps = [Lamp()] * pods.link.pods
            lamps[pod - 1] = Lamp(*COLOURS[colour])
            _show(pods, Outputs(light=light, lamps=tuple(lamps)), args.seconds)
            _print({"pod": pod, "colour": colour}, args.json)
    return 0


def run_light(args: argparse.Namespace) -> int:
    """Sets the ring light; it stays when the command has ended."""
    from appliance.podlink import Outputs

    if args.level > 100:
        raise Failure(f"light {args.level}: from 0 to 100")
    with _Greeted(args.device) as pods:
        _require(pods, "light")
        _show(pods, Outputs(light=round(2.55 * args.level)), 0.0)
    _print({"light": args.level}, args.json)
    return 0


def run_version(args: argparse.Namespace) -> int:
    """Prints what the pods say of themselves."""
    with _Greeted(args.device) as pods:
        _print(described(pods), args.json)
    return 0


def run_simulate(args: argparse.Namespace) -> int:
    """Simulated pods until interrupted; lines on standard input press: `3 take`, `1 call`."""
    import selectors

    from appliance.podsim import PodSimulator, simulated_core

    for number in (signal.SIGTERM, signal.SIGHUP):  # the link goes however it is stopped
        if signal.getsignal(number) is not signal.SIG_IGN:  # but nohup means it to go on
            signal.signal(number, signal.default_int_handler)
    core = simulated_core(int.from_bytes(time.time_ns().to_bytes(8, "big")[4:], "big"))
    pods = PodSimulator(core)
    try:
        if args.link is not None:
            _link(args.link, pods.path)
        print(args.link or pods.path, flush=True)
        selector = selectors.DefaultSelector()
        selector.register(pods.fileno(), selectors.EVENT_READ)
        with contextlib.suppress(OSError, ValueError, AttributeError):  # a file, or none: nobody presses
            selector.register(sys.stdin, selectors.EVENT_READ)
        start, shown, release_at, typed = time.monotonic(), b"", 0.0, b""
        while True:
            ready = [key.fileobj for key, _ in selector.select(0.005)]
            if sys.stdin in ready:
                data = os.read(sys.stdin.fileno(), 4096)
                typed = (typed + data)[-4096:]
                if not data:
                    selector.unregister(sys.stdin)
            now = time.monotonic()
            if pods.levels and now >= release_at:
                pods.levels = 0
                release_at = now + _HELD_S  # and up for as long, before the next
            elif b"\n" in typed and now >= release_at:
                line, typed = typed.split(b"\n", 1)
                if _press(pods, line.decode(errors="replace")):
                    release_at = now + _HELD_S
            pods.turn(int((time.monotonic() - start) * 1000))
            now_shown = bytes((core.light, core.tone)) + core.lamps
            if now_shown != shown:
                shown = now_shown
                lamps = " ".join(core.lamps[n : n + 3].hex() for n in range(0, 4 * core.pods, 4))
                print(f"light {core.light} tone {core.tone} lamps {lamps}", file=sys.stderr, flush=True)
    finally:
        if args.link is not None:
            _unlink(args.link, pods.path)
        pods.unplug()


def described(pods: Pods) -> dict[str, Any]:
    """What greeted pods have said of themselves."""
    from firmware import wire

    board, _, version = pods.link.board.rpartition(" ")
    return {
        "device": pods.device,
        "board": board,
        "firmware": version,
        "protocol": wire.PROTOCOL,
        "pods": pods.link.pods,
        "has": _has(pods),
    }


def _has(pods: Pods) -> list[str]:
    """What the board of greeted pods has."""
    from firmware import wire

    bits = {"lamps": wire.HAS_LAMPS, "light": wire.HAS_LIGHT, "buzzer": wire.HAS_BUZZER}
    return [name for name, bit in bits.items() if pods.link.capabilities & bit]


def _require(pods: Pods, what: str) -> None:
    """Failure if the board does not have it."""
    if what not in _has(pods):
        name = {"lamps": "lamps", "light": "ring light"}[what]
        raise Failure(f"{pods.device}: this board has no {name}")


class _Greeted:
    """Pods that have answered; Failure if they do not. `early`: the events that came with the answer.

    `path` None: the first device found that answers; where none does, the most telling reason.
    """

    def __init__(self, path: str | None) -> None:
        self.early: tuple[PodEvent, ...] = ()
        self._path = path
        self._pods: Pods

    def __enter__(self) -> Pods:
        from appliance.pods import Pods, Trouble, find_devices

        failed: list[tuple[bool, str]] = []
        paths: list[str | None] = [self._path] if self._path else [*find_devices()] or [None]
        for path in paths:
            self.early, self._pods = (), Pods(path)
            if self._answers():
                return self._pods
            self._pods.close()
            assert self._pods.problem is not None
            silent = self._pods.problem.trouble in (Trouble.SILENT, Trouble.UNTRIED)
            failed.append((silent, _said(self._pods)))
        raise Failure(min(failed, key=lambda each: each[0])[1])

    def _answers(self) -> bool:
        from appliance.podlink import LinkState

        for now in _ticks(time.monotonic() + _GREETING_S):
            self.early += self._pods.poll(now)
            if self._pods.problem is None:
                return True
            if self._pods.link.state in (LinkState.AWAY, LinkState.REFUSED):
                return False
        return False

    def __exit__(self, *_: object) -> None:
        self._pods.close()


def _configured_light() -> float:
    """The ring light's level, 0 to 1; the default where the configuration cannot be read."""
    from appliance.config import Config, read
    from appliance.folders import config_path

    path = config_path()
    try:
        return Config().light if path is None else read(path)[0].light
    except Failure:
        return Config().light


def _said(pods: Pods) -> str:
    from appliance.language import Language
    from appliance.pods import Trouble

    assert pods.problem is not None
    if pods.problem.trouble in (Trouble.SILENT, Trouble.UNTRIED):
        return f"{pods.device}: no seat pods answer; is their firmware there? (kortstalis firmware flash)"
    if pods.problem.trouble is Trouble.GONE:
        return f"{pods.device}: the seat pods are gone"
    text = pods.problem.text(Language("en"))
    return text[0].lower() + text[1:]


def _ticks(end: float | None) -> Iterator[float]:
    """The time, every few milliseconds until `end`."""
    while end is None or time.monotonic() < end:
        yield time.monotonic()
        time.sleep(0.003)


def _show(pods: Pods, outputs: Outputs, seconds: float) -> None:
    """Shows it for some seconds, at least until the pods have acknowledged it."""
    pods.link.show(outputs)
    for now in _ticks(time.monotonic() + _GREETING_S):
        _poll(pods, now)
        if pods.link.settled:
            break
    else:
        raise Failure("the seat pods do not answer")
    for now in _ticks(time.monotonic() + seconds):
        _poll(pods, now)


def _poll(pods: Pods, now: float) -> tuple[PodEvent, ...]:
    """The events since the last poll; Failure when something is wrong with the pods."""
    events = pods.poll(now)
    if pods.problem is not None and not events:  # what came before they went is told first
        raise Failure(_said(pods))
    return events


def _press(pods: Any, line: str) -> bool:
    """Presses what a line says; whether it said anything."""
    words = line.split()
    if len(words) != 2 or not words[0].isdecimal() or words[1] not in ("take", "call"):
        print("a press is a pod and a button: 3 take", file=sys.stderr, flush=True)
        return False
    if not 1 <= int(words[0]) <= 6:
        print("there are pods 1 to 6", file=sys.stderr, flush=True)
        return False
    pods.press(int(words[0]) - 1, ("take", "call").index(words[1]))
    return True


def _link(link: Path, path: str) -> None:
    """Makes the name of a simulator's terminal. One left by a simulator that was killed is taken over."""
    if link.is_symlink() and link.exists():
        raise Failure(
            f"{link}: that is another's name, of {os.readlink(link)}: take another one, or remove it if"
            " nobody uses it"
        )
    try:
        if link.is_symlink():
            link.unlink()
        link.symlink_to(path)
    except OSError as error:
        raise Failure(f"{link}: cannot be made: {error.strerror}") from None


def _unlink(link: Path, path: str) -> None:
    """Removes the name if it is still this terminal's."""
    with contextlib.suppress(OSError):
        if os.readlink(link) == path:
            link.unlink()


def _print(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(result, ensure_ascii=False), flush=True)
        return
    parts = [
        f"{key} {', '.join(value) if isinstance(value, list) else value}" for key, value in result.items()
    ]
    print("  ".join(parts), flush=True)
