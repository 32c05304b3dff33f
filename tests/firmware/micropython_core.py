"""The firmware's core under real MicroPython (its WebAssembly build on node), turn by turn."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.shared import ROOT

HERE = Path(__file__).parent / "micropython"
NODE = shutil.which("node")


def missing() -> str | None:
    """Why MicroPython cannot be had, or None."""
    if NODE is None:
        return "node is not installed"
    if not (HERE / "node_modules").is_dir():
        return "MicroPython is not installed: npm install --no-package-lock in tests/firmware/micropython"
    return None


class MicroPythonCore:
    """Steps the core in MicroPython; a context manager that ends it. `outputs`: lamps, light, tone, host."""

    def __init__(self) -> None:
        assert NODE is not None
        self._process = subprocess.Popen(
            [NODE, "core.mjs", str(ROOT / "firmware")],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.outputs: tuple[bytes, int, int, bool] = (b"", 0, 0, False)

    def __enter__(self) -> MicroPythonCore:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def ask(self, line: str) -> str:
        """One line there, one line back."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "MicroPython has ended"
        return answer.strip()

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        """As `Core.step`."""
        sent, lamps, light, tone, host = self.ask(f"step {now} {levels} {received.hex()}").split(" ")
        self.outputs = (bytes.fromhex(lamps), int(light), int(tone), host == "1")
        return b"" if sent == "-" else bytes.fromhex(sent)
