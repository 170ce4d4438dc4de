"""One run of the program for a function of the package."""

import json
import os
import subprocess
import tempfile

from ._data import is_path, is_table, write_table
from ._errors import GossetError
from ._node import command
from ._options import flags_of
from ._result import Result


def run(words, text=None):
    """What the program prints for these words; its line as an error where it refuses."""
    done = subprocess.run(
        command() + words,
        input=None if text is None else text.encode(),
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
    )
    told = done.stderr.decode(errors="replace").strip()
    # 1 and 3 are outcomes of a check, 4 an answer from a part
    if done.returncode in (0, 1, 3, 4) and done.stdout:
        return done.stdout.decode()
    raise GossetError(told or f"gosset ended with exit code {done.returncode}.", done.returncode)


def ask(words, data, options, names=None):
    """The result of a command on the data: paths, or tables that are written into a folder for the time of the run."""
    with tempfile.TemporaryDirectory(prefix="gosset-") as folder:
        seen = folder + os.sep

        def place(table, stem):
            return write_table(table, os.path.join(folder, stem))

        paths = [_path_of(value, place, name) for value, name in zip(data, _names(data, names))]
        try:
            text = run([*words, *paths, *flags_of(options, place), "--json", "--quiet"])
        except GossetError as error:
            raise GossetError(str(error).replace(seen, ""), error.exit_code) from None
        # the folder is gone when the result is read
        return Result(text.replace(json.dumps(seen)[1:-1], ""))


def _names(data, names):
    if names is None:
        return ["data"] if len(data) == 1 else [f"data{k + 1}" for k in range(len(data))]
    if isinstance(names, str) or len(names) != len(data):
        raise GossetError(f"names: {len(data)} tables need {len(data)} names. Give a list of them.")
    if len(set(names)) < len(names):
        raise GossetError("names: two tables have the same name. Give each its own.")
    for name in names:
        if not isinstance(name, str) or not name or name[0] in ".-" or any(c in '/\\:*?"<>|' or ord(c) < 32 for c in name):
            raise GossetError(f"names: {name!r} cannot name a file. Use letters, digits, - and _.")
    return list(names)


def _path_of(value, place, name):
    if is_path(value):
        path = os.fspath(value)
        # a name that begins with a dash would be a flag, and a lone dash standard input
        return os.path.join(os.curdir, path) if path.startswith("-") else path
    if is_table(value):
        return place(value, name)
    kind = type(value).__name__
    raise GossetError(
        f"data of type {kind}{'' if value else ', empty'}. Give a path, a list of dicts, a dict of columns, or a pandas or polars frame."
    )
