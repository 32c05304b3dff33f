"""`kortstalis firmware flash`: writes the pods' firmware to a board, with mpremote."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from appliance.failure import Failure

FILES = ("wire.py", "debounce.py", "core.py", "main.py")  # main.py last: it is what starts the others
_RESTART_S = 10.0
_FLASH_S = 30  # a Pico needs about five


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `firmware`."""
    parser = subparsers.add_parser("firmware", help="write the pods' firmware to their board")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    flash = actions.add_parser("flash", help="copy the firmware to a board with MicroPython")
    flash.add_argument("--device", metavar="PATH", help="the board's serial device (else the only one found)")
    flash.add_argument("--json", action="store_true", help="the result as JSON")
    flash.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Flashes; Failure says what is missing or what mpremote said."""
    from appliance.pods import find_devices
    from firmware.core import VERSION

    if importlib.util.find_spec("mpremote") is None:
        raise Failure("mpremote is not installed: .venv/bin/pip install -e '.[firmware]'")
    found = [args.device] if args.device else find_devices()
    if not found:
        raise Failure("no board is connected: plug it in, or name it with --device")
    if len(found) > 1:  # another board's program would be lost
        raise Failure(f"several boards are connected: name one with --device: {', '.join(found)}")
    (device,) = found
    _probe(device)
    to_prompt(device)
    flash(device)
    result = {"device": device, "firmware": VERSION, "files": list(FILES)}
    print(json.dumps(result) if args.json else f"{device}: firmware {VERSION} written, the board restarts")
    return 0


def _probe(device: str) -> None:
    """Failure if that is no serial device, or none that can be had now."""
    from appliance.pods import SerialPort

    path = Path(device)
    if not path.exists():
        raise Failure(f"{device}: there is no such device")
    if not path.is_char_device():
        raise Failure(f"{device}: no serial device")
    try:
        SerialPort(device).close()
    except OSError as error:
        raise Failure(str(error)) from None


def to_prompt(
    device: str, clock: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep
) -> bool:
    """Asks running pods to restart into MicroPython's prompt, and waits until the board is back.

    Those of another version of the wire too: just they are to be flashed.
    Failure if they are simulated. False if no pods answered: then the board runs something else, and
    mpremote may interrupt it.
    """
    from appliance.podlink import LinkState
    from appliance.pods import Pods
    from appliance.podsim import BOARD

    pods = Pods(device)
    end = clock() + 1.5
    answered = (LinkState.UP, LinkState.REFUSED)
    while clock() < end and pods.link.state not in answered:
        pods.poll(clock())
        wait(0.005)
    if pods.link.state not in answered:
        pods.close()
        return False
    if pods.link.board.startswith(BOARD):
        pods.close()
        raise Failure(f"{device}: these pods are simulated: there is no board to write to")
    pods.link.maintain()
    end = clock() + _RESTART_S
    while clock() < end and pods.link.state in answered:
        pods.poll(clock())
        wait(0.005)
    pods.close()
    while clock() < end and not Path(device).exists():
        wait(0.05)
    wait(1.0)  # the port is there before the prompt is
    return True


def flash(device: str, call: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run) -> None:
    """Copies the files and restarts the board; Failure with what mpremote said."""
    import firmware

    folder = Path(firmware.__file__).parent
    paths = [str(folder / name) for name in FILES]
    command = [sys.executable, "-m", "mpremote", "connect", device, "cp", *paths, ":", "+", "reset"]
    try:
        done = call(command, capture_output=True, text=True, check=False, timeout=_FLASH_S)
    except subprocess.TimeoutExpired:
        raise Failure(
            f"{device}: MicroPython does not answer: unplug the board and plug it in again; a new one needs"
            " MicroPython first (firmware/README.md)"
        ) from None
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()
        raise Failure("mpremote: " + said[-1].removeprefix("mpremote: "))
