"""The engine stands alone: standard library only, no room of ours but itself."""

from __future__ import annotations

import subprocess
import sys


def test_engine_and_its_command_import_nothing_heavy() -> None:
    code = (
        "import sys, engine.referee, engine.players, appliance.commands.referee\n"
        "bad = {'numpy', 'cv2', 'pygame', 'vision', 'babel', 'serial', 'gpiozero'} & set(sys.modules)\n"
        "sys.exit(' '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_engine_alone_imports_only_the_standard_library_and_itself() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\nimport engine.referee, engine.players\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "sys.exit(' '.join(sorted(new - set(sys.stdlib_module_names) - {'engine'})) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
