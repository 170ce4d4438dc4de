"""What the functions give: the JSON object of the program, with its fields as attributes."""

import html
import json
import keyword

from ._errors import GossetError

_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def _read(value):
    """As the JSON contract has it: numbers that JSON lacks are texts, and a text that reads so has ~ in front."""
    if isinstance(value, str):
        return _NUMBERS.get(value, value[1:] if value.lstrip("~") in _NUMBERS else value)
    if isinstance(value, list):
        return [_read(own) for own in value]
    if isinstance(value, dict):
        return {name: _read(own) for name, own in value.items()}
    return value


def _wrap(value):
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return tuple(_wrap(own) for own in value)
    return value


def _unwrap(value):
    if isinstance(value, dict):
        return {name: _unwrap(own) for name, own in value.items()}
    return [_unwrap(own) for own in value] if isinstance(value, list) else value


class Record:
    """An object of the JSON: `record.name` or `record["name"]`. It cannot be changed."""

    __slots__ = ("_fields",)

    def __init__(self, fields):
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name):
        fields = object.__getattribute__(self, "_fields")
        # the JSON has camelCase, and names that are words of Python end in _
        first, *more = name.rstrip("_").split("_") if not name.startswith("_") else [name]
        for own in (name, first + "".join(part[:1].upper() + part[1:] for part in more)):
            if own in fields:
                return _wrap(fields[own])
        raise AttributeError(f"{type(self).__name__} has no field {name!r} (fields: {', '.join(fields)})")

    def __getitem__(self, name):
        return _wrap(self._fields[name])

    def __contains__(self, name):
        return name in self._fields

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)

    def __eq__(self, other):
        return isinstance(other, Record) and self._fields == other._fields

    __hash__ = None

    def __setattr__(self, name, value):
        raise AttributeError(f"a result cannot be changed ({name})")

    def __delattr__(self, name):
        raise AttributeError(f"a result cannot be changed ({name})")

    def __dir__(self):
        return [*super().__dir__(), *(name + "_" * keyword.iskeyword(name) for name in self._fields)]

    def __repr__(self):
        return f"{type(self).__name__}({self._fields!r})"

    def __reduce__(self):
        return type(self), (self._fields,)

    def to_dict(self):
        """A copy as plain dicts and lists."""
        return _unwrap(self._fields)


class Result(Record):
    """One answer. It prints as the command does; a notebook shows it with its figure."""

    __slots__ = ("_screen", "_text")

    def __init__(self, text):
        super().__init__(_read(json.loads(text)))
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "_screen", None)

    def __reduce__(self):
        return type(self), (self._text,)

    def to_json(self):
        """The JSON object as the program printed it: stored in a file, `gosset report`, `plot`, `paper` and `verify` read it."""
        return self._text

    def to_svg(self, figure=None):
        """A figure of the result as SVG; without a name the main one."""
        from ._run import run

        return run(["plot", "-", "--quiet", *([] if figure is None else [f"--figure={figure}"])], self._text)

    def to_text(self, details=False):
        """What the command prints."""
        from ._run import run

        return run(["show", "-", *(["--details"] if details else [])], self._text)

    def __repr__(self):
        # a notebook asks for the text and for the HTML
        if self._screen is None:
            object.__setattr__(self, "_screen", self.to_text().rstrip("\n"))
        return self._screen

    def _repr_html_(self):
        try:
            figure = self.to_svg()
        except GossetError:
            # not every result has a figure
            figure = ""
        return f'<div class="gosset" style="overflow-x: auto"><pre>{html.escape(repr(self))}</pre>{figure}</div>'
