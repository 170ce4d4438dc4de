"""Can your evaluation results be trusted? The questions of Gosset as functions.

Each takes paths, lists of dicts, dicts of columns, or pandas or polars frames, and the flags of the command of the same name as keyword
options: `--baseline small` is `baseline="small"`, `--run-kind trainings` is `run_kind="trainings"`.
"""

from importlib.metadata import version as _version

from ._errors import GossetError
from ._result import Record, Result
from ._run import ask as _ask

__all__ = ["GossetError", "Record", "Result", "agreement", "compare", "describe", "fit", "power", "rank"]
__version__ = _version("gosset-eval")


def compare(*data, names=None, **options):
    """Is the difference between systems real? Several tables are one a system, the baseline first; `names` names them."""
    return _ask(["compare"], data, options, names)


def rank(*data, names=None, **options):
    """Who ranks where?"""
    return _ask(["rank"], data, options, names)


def agreement(*data, names=None, **options):
    """Do the raters agree?"""
    return _ask(["agreement"], data, options, names)


def describe(*data, names=None, **options):
    """What do the data hold, and which questions can they answer?"""
    return _ask(["describe"], data, options, names)


def fit(model, formula, data, **options):
    """A model: lm, glm, lmm, glmm, clm, clmm or gam. The formula is written as in R."""
    return _ask(["fit", model, formula], [data], options)


def power(scenario, *data, **options):
    """Is the evaluation big enough? `power("accuracy", n=500, delta=0.02, agreement=0.9)`."""
    return _ask(["power", scenario], data, options)
