"""Keyword options as flags of the program, which checks their names and values."""

import os

from ._data import is_table
from ._errors import GossetError

# flags that may be given again for each value; others take a list as one text with commas
REPEATED = {"mutate", "over", "ref", "set", "where"}
# the answer is the object that the function gives
OF_THE_ANSWER = {"format", "json", "out", "paper", "progress", "quiet", "details"}


def flags_of(options, place):
    """`place` writes a table and gives its path."""
    flags = []
    for name, value in options.items():
        if name in OF_THE_ANSWER or (name == "plot" and value == "-"):
            raise GossetError(f"{name} is not an option here: the function gives the whole result. Leave {name} out.")
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            flags.append(flag)
        elif is_table(value):
            flags.append(f"{flag}={place(value, name)}")
        elif isinstance(value, (list, tuple)):
            texts = [_text(own) for own in value]
            if name in REPEATED:
                flags.extend(f"{flag}={text}" for text in texts)
            elif any("," in text for text in texts):
                told = next(text for text in texts if "," in text)
                raise GossetError(f"{name}: {told!r} has a comma, which separates names. Rename it in the data.")
            else:
                flags.append(f"{flag}={','.join(texts)}")
        else:
            flags.append(f"{flag}={_text(value)}")
    return flags


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
