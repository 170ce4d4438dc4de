"""Stop an Inspect evaluation as soon as the comparison with a baseline is decided.

    from inspect_early_stopping import StopWhenDecided, scores_of

    Task(..., early_stopping=StopWhenDecided(scores_of("logs/baseline.eval")))

Each finished sample is written beside the baseline's score of the same sample; `gosset next --json` then says stop or
continue, by numbers that hold however often one looks, or by the looks of a plan (`plan="plan.yaml"`). Samples should run
in random order (`sample_shuffle=True`): the order must not depend on the outcomes.
"""

import csv
import json
import os
import subprocess
import tempfile

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def as_number(value):
    """Inspect's grades, booleans and numbers; None where a score is none of them."""
    if isinstance(value, str):
        return GRADES.get(value)
    if isinstance(value, (bool, int, float)):
        return float(value)
    return None


def scores_of(log, scorer=None):
    """Mean score of each sample in a log of the baseline."""
    from inspect_ai.log import read_eval_log

    found = {}
    for sample in read_eval_log(log).samples or []:
        scores = sample.scores or {}
        name = scorer or next(iter(scores), None)
        value = as_number(scores[name].value) if name in scores else None
        if value is not None:
            found.setdefault(sample.id, []).append(value)
    return {id: sum(values) / len(values) for id, values in found.items()}


def ask_gosset(path, command=("gosset",), options=()):
    """What `gosset next` says of the rows so far; None where they are too few for an answer."""
    run = subprocess.run(
        [*command, "next", path, "--system", "system", "--item", "item", "--metric", "score"]
        + ["--systems", "baseline,candidate", "--json", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(run.stdout) if run.returncode == 0 else None


class StopWhenDecided:
    """Inspect's EarlyStopping protocol: once the comparison is decided, no further sample is started."""

    def __init__(self, baseline, scorer=None, every=10, plan=None, command=("gosset",), options=(), make_stop=None):
        self.baseline, self.scorer, self.every = baseline, scorer, every
        self.command = command
        self.options = (*(("--plan", plan) if plan else ()), *options)
        self.make_stop = make_stop
        self.rows, self.answer = [], None
        # gone with this object
        self.folder = tempfile.TemporaryDirectory(prefix="gosset-next-")
        self.path = os.path.join(self.folder.name, "so-far.csv")

    async def start_task(self, task, samples, epochs):
        return "gosset next"

    async def schedule_sample(self, id, epoch):
        if self.answer is None or self.answer["decision"] != "stop":
            return None
        make_stop = self.make_stop
        if make_stop is None:
            from inspect_ai.util import EarlyStop as make_stop
        return make_stop(id=id, epoch=epoch, reason=f"gosset next: {self.answer['reason']}")

    async def complete_sample(self, id, epoch, scores):
        name = self.scorer or next(iter(scores), None)
        value = as_number(scores[name].score.value) if name in scores else None
        if value is None or id not in self.baseline:
            return
        self.rows.append((id, value))
        if self.answer is not None and self.answer["decision"] == "stop":
            return
        # a planned look is due at one number of items only
        if "--plan" in self.options or len(self.rows) % self.every == 0:
            self.write()
            self.answer = ask_gosset(self.path, self.command, self.options) or self.answer

    def write(self):
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["system", "item", "score"])
            for id in dict.fromkeys(id for id, _ in self.rows):
                out.writerow(["baseline", id, self.baseline[id]])
            out.writerows(["candidate", id, value] for id, value in self.rows)

    async def complete_task(self):
        keys = ("decision", "reason", "n", "difference", "lower", "upper", "eValue", "p")
        return {key: self.answer[key] for key in keys if self.answer is not None and key in self.answer}
