"""The measures of `doctor`: what this machine's devices say. Each probe survives what it does not find."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.config import Config, Pins
from appliance.doctor import CameraLook, Measures
from appliance.folders import journal_path
from appliance.inputs import ConsoleButtons
from appliance.journal import Journal, JournalError
from appliance.lamps import ConsoleLamps
from appliance.language import Language
from appliance.tables import table_in
from vision.geometry import GeometryError
from vision.sources import Source, SourceError, open_source
from vision.types import Image

_FRAMES = 20
_WARM_UP = 5  # the exposure of a webcam settles within these


def measure(config: Config, wrong: str | None, failed_starts: int) -> tuple[Measures, Image | None]:
    """Looks at everything; also the camera's last picture. `wrong`: what is wrong in the configuration."""
    look, picture = look_at_camera(config, open_source, time.monotonic)
    measures = measure_beside(config, wrong, failed_starts, look, _model(), _gpio(config))
    return measures, picture


def measure_beside(
    config: Config, wrong: str | None, failed_starts: int, look: CameraLook, model: float | str,
    gpio: str | None,
) -> Measures:  # fmt: skip
    """Looks at everything but what the table itself may be using: camera, network, pins."""
    free, writable = look_at_disk(journal_path().parent)
    return Measures(
        camera=look, model=model, gpio=gpio, pods=_pods(config), display=_display(),
        sound=_sound(), disk_free=free, disk_writable=writable,
        temperature=temperature(Path("/sys/class/thermal")), throttled=_throttled(),
        journal=look_at_journal(journal_path()), service=_service(), config=wrong,
        failed_starts=failed_starts,
    )  # fmt: skip


def look_at_camera(
    config: Config, open_camera: Callable[[str], Source], clock: Callable[[], float]
) -> tuple[CameraLook, Image | None]:
    """Takes some pictures and measures the last."""
    try:
        source = open_camera(config.camera)
    except SourceError as error:
        return CameraLook(str(error)), None
    picture, taken, start = None, 0, clock()
    try:
        for number in range(_WARM_UP + _FRAMES):
            frame = source.read()
            if frame is None:
                break
            picture = frame.image
            if number == _WARM_UP - 1:
                start = clock()
            elif number >= _WARM_UP:
                taken += 1
    except SourceError as error:
        return CameraLook(str(error)), None
    finally:
        source.close()
    if picture is None:
        return CameraLook(f"camera {config.camera}: gives no pictures"), None
    rate = taken / max(clock() - start, 1e-9)
    return look_at_picture(picture, rate, len(config.players), config.geometry), picture


def look_at_picture(picture: Image, rate: float, seats: int, file: str = "") -> CameraLook:
    """How good a picture is. `file`: of the table's geometry, which counts where no mat lies."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    card: float | None = None
    mat = ""
    try:
        card = table_in(picture, seats, file).card_size_px[1]
    except GeometryError as error:
        mat = str(error)
    return CameraLook(
        size=(picture.shape[1], picture.shape[0]),
        rate=rate,
        sharpness=float(cv2.Laplacian(grey, cv2.CV_64F).var()),
        brightness=float(grey.mean()),
        glare=float((grey >= 253).mean()),
        card_px=card,
        mat=mat,
    )


def _model() -> float | str:
    from vision.reader import Reader

    try:
        reader = Reader.load()
        picture = np.full((720, 1280, 3), 90, np.uint8)
        start = time.monotonic()
        reader.read_picture(picture)
    except (OSError, ValueError, cv2.error) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    return time.monotonic() - start


def _gpio(config: Config) -> str | None:
    say = Language(config.language)
    if config.gpio == "off":
        return say("the pins are off in the configuration")
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        return say("this machine has no pins")
    if not os.access(chips[0], os.R_OK | os.W_OK):
        return say("{path}: not permitted (group gpio)").format(path=chips[0])
    return look_at_pins(config.pins, say)


def look_at_pins(pins: Pins, say: Language, factory: Any = None) -> str | None:
    """Which pins cannot be had and which buttons are stuck, as the table's own self-test finds it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries that gpiozero would rather use
        buttons = ConsoleButtons(pins.buttons(), time.monotonic, factory)
        lamps = ConsoleLamps(pins.lamps(), pins.turn, factory)
    try:
        return "; ".join((*buttons.troubles(say), *lamps.troubles(say))) or None
    finally:
        buttons.close()
        lamps.close()


def _pods(config: Config) -> str | None:
    from appliance.pods import find_devices

    path = next(iter(find_devices()), None) if config.pods in ("auto", "off") else config.pods
    return path if path is not None and Path(path).exists() else None


def _display() -> str | None:
    for status in sorted(Path("/sys/class/drm").glob("card*-*/status")):
        if _text(status) == "connected":
            return status.parent.name.split("-", 1)[1]
    return next((os.environ[name] for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)), None)


def _sound() -> tuple[str, ...]:
    return tuple(re.findall(r"^\s*\d+ \[(\S+)", _text(Path("/proc/asound/cards")), re.MULTILINE))


def look_at_disk(folder: Path) -> tuple[int | None, bool]:
    """Bytes free where a folder is or will be, and whether it can be written."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        free = shutil.disk_usage(folder).free
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"kortstalis")
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return None, False
    return free, True


def temperature(thermal: Path) -> float | None:
    """The warmest of the kernel's thermal zones."""
    values = [_text(path) for path in thermal.glob("thermal_zone*/temp")]
    degrees = [int(value) / 1000 for value in values if re.fullmatch(r"-?\d+", value)]
    return max(degrees, default=None)


def _throttled() -> int | None:
    for path in Path("/sys/class/hwmon").glob("hwmon*/in0_lcrit_alarm"):  # rpi_volt
        if _text(path.parent / "name") == "rpi_volt":
            alarm = _text(path) == "1"
            return parse_throttled(_command("vcgencmd", "get_throttled")) or int(alarm)
    return parse_throttled(_command("vcgencmd", "get_throttled"))


def parse_throttled(text: str) -> int | None:
    """The bits in what `vcgencmd get_throttled` prints."""
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", text)
    return int(found[1], 16) if found else None


def look_at_journal(path: Path) -> int | str:
    """How many matches a journal holds, or what is wrong with it; it is not changed."""
    if not path.exists():
        return 0
    try:
        with Journal.look(path) as journal:
            return len(journal.matches())
    except JournalError as error:
        return str(error)


def _service() -> tuple[str, int] | None:
    return parse_service(_command("systemctl", "show", "kortstalis", "-p", "LoadState,ActiveState,NRestarts"))


def parse_service(text: str) -> tuple[str, int] | None:
    """State and number of restarts from `systemctl show`; None if there is no such service."""
    values: dict[str, Any] = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    if values.get("LoadState") != "loaded":
        return None
    restarts = values.get("NRestarts", "0")
    return values.get("ActiveState", "unknown"), int(restarts) if restarts.isdecimal() else 0


def log() -> str:
    """The last lines that the service wrote."""
    return _command("journalctl", "-u", "kortstalis", "-n", "500", "--no-pager", "-o", "short-iso")


def _command(*words: str) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
