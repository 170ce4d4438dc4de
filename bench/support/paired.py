"""Two systems on the same items, right or wrong: the answer of `gosset compare FILE` with Python's standard library. Usage: paired.py FILE"""

import csv
import math
import sys
from statistics import NormalDist

systems = {}
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        systems.setdefault(row["system"], {})[row["item"]] = float(row["score"])
(a, first), (b, second) = systems.items()
items = [item for item in first if item in second]
differences = [second[item] - first[item] for item in items]
n = len(items)
mean = math.fsum(differences) / n
se = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (n - 1) / n)
gained, lost = differences.count(1.0), differences.count(-1.0)
z = (gained - lost) / math.sqrt(gained + lost)
half = NormalDist().inv_cdf(0.975) * se
p = 2 * NormalDist().cdf(-abs(z))
print(a, math.fsum(first.values()) / n, b, math.fsum(second.values()) / n, mean, mean - half, mean + half, p)
