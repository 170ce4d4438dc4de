"""Permutation and bootstrap of a paired difference in numpy (scipy for BCa): the work of resample.ts, vectorised in blocks."""

import json
import time

import numpy as np
from scipy import stats

B = 10_000
BLOCK = 500
generator = np.random.default_rng(3)


def best(run, repetitions):
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def report(problem, seconds):
    print(json.dumps({"problem": problem, "seconds": seconds, "tool": "numpy"}))


def signs(rows, n):
    """Random bits, eight a byte: the quickest fair coins of numpy."""
    bits = np.unpackbits(np.frombuffer(generator.bytes(rows * n // 8 + 1), dtype=np.uint8), count=rows * n)
    return bits.reshape(rows, n)


def permute_paired(d):
    means = np.empty(B)
    total = d.sum()
    for start in range(0, B, BLOCK):
        means[start : start + BLOCK] = (total - 2 * (signs(BLOCK, len(d)).astype(float) @ d)) / len(d)
    return (np.sum(np.abs(means) >= abs(d.mean())) + 1) / (B + 1)


def permute_two_sample(a, b):
    both = np.concatenate([a, b])
    sums = np.empty(B)
    for start in range(0, B, BLOCK):
        sums[start : start + BLOCK] = generator.permuted(np.tile(both, (BLOCK, 1)), axis=1)[:, : len(a)].sum(axis=1)
    differences = sums / len(a) - (both.sum() - sums) / len(b)
    return (np.sum(np.abs(differences) >= abs(a.mean() - b.mean())) + 1) / (B + 1)


def score(s):
    ratios = np.log(s[:, 0:4] / s[:, 4:8]).sum(axis=1) / 4
    return np.exp(ratios + np.minimum(0, 1 - s[:, 9] / s[:, 8]))


def permute_corpus(a, b):
    gaps = a - b
    total_a, total_b = a.sum(axis=0), b.sum(axis=0)
    differences = np.empty(B)
    for start in range(0, B, BLOCK):
        moved = signs(BLOCK, len(a)).astype(float) @ gaps
        differences[start : start + BLOCK] = score(total_a - moved) - score(total_b + moved)
    observed = score(total_a[None, :])[0] - score(total_b[None, :])[0]
    return (np.sum(np.abs(differences) >= abs(observed)) + 1) / (B + 1)


def bootstrap_corpus(a, replicates):
    n = len(a)
    sums = np.empty((replicates, a.shape[1]))
    for i in range(replicates):
        sums[i] = np.bincount(generator.integers(0, n, n), minlength=n) @ a
    return np.quantile(score(sums), [0.025, 0.975])


def bootstrap_mean(d):
    means = np.empty(B)
    for start in range(0, B, BLOCK):
        means[start : start + BLOCK] = d[generator.integers(0, len(d), (BLOCK, len(d)))].mean(axis=1)
    return np.quantile(means, [0.025, 0.975])


def bootstrap_bca(d):
    return stats.bootstrap((d,), np.mean, n_resamples=B, method="BCa", batch=BLOCK, vectorized=True)


for n in (2000, 10_000):
    d = generator.normal(0.02, 1, n)
    report(f"paired permutation, n = {n} x {B}", best(lambda: permute_paired(d), 3))
first, second = generator.normal(0.02, 1, 1000), generator.normal(0.02, 1, 1000)
report(f"two-sample permutation, 1000 + 1000 x {B}", best(lambda: permute_two_sample(first, second), 3))
a = generator.integers(0, 30, (3004, 10)).astype(float)
b = generator.integers(0, 30, (3004, 10)).astype(float)
report(f"permutation of a corpus score, 3004 items x 10 statistics x {B}", best(lambda: permute_corpus(a, b), 3))
report("bootstrap of a corpus score, 3004 items x 10 statistics x 1000", best(lambda: bootstrap_corpus(a, 1000), 3))
d = generator.normal(0.02, 1, 2000)
report(f"bootstrap percentile, n = 2000 x {B}", best(lambda: bootstrap_mean(d), 3))
report(f"bootstrap bca, n = 2000 x {B}", best(lambda: bootstrap_bca(d), 2))
