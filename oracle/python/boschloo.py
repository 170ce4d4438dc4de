"""Boschloo's one-sided p by scipy. Writes boschloo.json beside this file; the tool's version stands inside.
Usage: /usr/bin/python3 boschloo.py"""
import json
import os

import scipy
from scipy.stats import boschloo_exact

TABLES = [(7, 15, 12, 14), (74, 80, 91, 120), (3, 10, 9, 10), (0, 8, 5, 9), (40, 60, 52, 61), (1, 30, 9, 45), (88, 100, 95, 100), (150, 300, 180, 310), (82, 225, 127, 225)]
cases = []
for x1, n1, x2, n2 in TABLES:
    table = [[x2, x1], [n2 - x2, n1 - x1]]
    cases.append(
        {
            "successes": [x1, x2],
            "trials": [n1, n2],
            "greater": boschloo_exact(table, alternative="greater", n=128).pvalue,
            "less": boschloo_exact(table, alternative="less", n=128).pvalue,
        }
    )
out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boschloo.json")
with open(out, "w") as file:
    json.dump({"scipy": scipy.__version__, "cases": cases}, file, indent=1)
    file.write("\n")
