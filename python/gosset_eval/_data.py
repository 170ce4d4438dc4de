"""Data of the caller as JSON lines, which keep the types of values. No package of data frames is imported: a frame is known by its methods."""

import json
import math
import os
from collections.abc import Mapping

from ._errors import GossetError


def is_path(value):
    return isinstance(value, (str, os.PathLike))


def is_table(value):
    """A data frame, a dict of columns or a list of dicts."""
    if _is_frame(value):
        return True
    if isinstance(value, Mapping):
        return bool(value) and all(_is_column(column) for column in value.values())
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _is_frame(value):
    return hasattr(value, "columns") and (hasattr(value, "to_dict") or hasattr(value, "to_dicts"))


def _is_column(value):
    return isinstance(value, (list, tuple, range)) or (hasattr(value, "__len__") and (hasattr(value, "tolist") or hasattr(value, "to_list")))


def write_table(value, stem):
    """Writes a table into a file whose name begins so, and gives its path."""
    rows = _rows_of(value)
    if not rows:
        raise GossetError("the data have no rows. Give at least one.")
    path = f"{stem}.jsonl"
    with open(path, "w", encoding="utf-8", newline="") as file:
        for number, row in enumerate(rows, 1):
            try:
                file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
            except ValueError:
                raise GossetError(f"row {number} of the data has an infinite number. Leave it out, or make it missing.") from None
    return path


def _rows_of(value):
    if _is_frame(value):
        names = [str(name) for name in value.columns]
        if len(set(names)) < len(names):
            told = next(name for name in names if names.count(name) > 1)
            raise GossetError(f"two columns are called {told!r}. Rename one.")
        # polars has to_dicts; pandas has to_dict(orient="list")
        value = value.to_dicts() if hasattr(value, "to_dicts") else value.to_dict(orient="list")
    if not isinstance(value, Mapping):
        return [_plain(row) for row in value]
    columns = {str(name): _plain(column) for name, column in value.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise GossetError(f"the columns differ in length ({told}). Give one value for each row.")
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _plain(cell):
    """The value as one that JSON has; None where it is missing."""
    if hasattr(cell, "tolist"):
        # arrays, series and the scalars of numpy
        cell = cell.tolist()
    elif hasattr(cell, "to_list"):
        cell = cell.to_list()
    if isinstance(cell, float) and math.isnan(cell):
        return None
    if cell is None or isinstance(cell, (str, bool, int, float)):
        return cell
    if isinstance(cell, Mapping):
        return {str(name): _plain(own) for name, own in cell.items()}
    if isinstance(cell, (list, tuple, range)):
        return [_plain(own) for own in cell]
    # missing values of pandas are of types of their own
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
