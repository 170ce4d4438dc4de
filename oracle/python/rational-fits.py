"""Coefficients of the fitted functions in src/numeric/special/erf.ts, special/gamma.ts and dist/normal.ts.

Each fit interpolates its function at Chebyshev nodes with 60 digits and prints the largest relative error found
between the nodes, so that the truncation error stays below double precision rounding.
Run: python3 rational-fits.py
"""
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, sqrt, exp, log, erf, erfc, erfinv, findroot, digamma, polygamma

mp.dps = 60


def rational(f, lo, hi, m, n):
    """p(x)/q(x) = f(x), degrees m and n, q(0) = 1, at m + n + 1 Chebyshev nodes of [lo, hi]."""
    lo, hi = mpf(lo), mpf(hi)
    k = m + n + 1
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * k)) for i in range(k)]
    A, b = matrix(k, k), matrix(k, 1)
    for i, x in enumerate(nodes):
        v = f(x)
        for j in range(m + 1):
            A[i, j] = x**j
        for j in range(1, n + 1):
            A[i, m + j] = -v * x**j
        b[i] = v
    s = lu_solve(A, b)
    p = [s[j] for j in range(m + 1)]
    q = [mpf(1)] + [s[m + j] for j in range(1, n + 1)]
    worst = mpf(0)
    for i in range(400):
        x = lo + (hi - lo) * mpf(i) / 399
        num = sum(mpf(float(c)) * x**j for j, c in enumerate(p))
        den = sum(mpf(float(c)) * x**j for j, c in enumerate(q))
        worst = max(worst, abs(num / den / f(x) - 1))
    return p, q, worst


def show(name, f, lo, hi, m, n):
    p, q, worst = rational(f, lo, hi, m, n)
    print(f"{name} on [{lo}, {hi}] relative error {float(worst):.1e}")
    print("  P = [" + ", ".join(repr(float(c)) for c in p) + "]")
    print("  Q = [" + ", ".join(repr(float(c)) for c in q) + "]")


def erfcx(x):
    return exp(x * x) * erfc(x)


def upper_normal_quantile(r):
    """-Phi^{-1}(p) with p = exp(-r^2)."""
    target = -r * r
    g = lambda x: log(erfc(x / sqrt(mpf(2))) / 2) - target
    dg = lambda x: -exp(-x * x / 2) / sqrt(2 * pi) / (erfc(x / sqrt(mpf(2))) / 2)
    x = sqrt(2 * r * r) - log(max(r, mpf(1))) / r
    x = max(x, mpf("0.1"))
    for _ in range(60):
        step = g(x) / dg(x)
        x -= step
        if abs(step) < mpf(10) ** -50:
            break
    return x


if __name__ == "__main__":
    show("erf(x)/x in z=x^2", lambda z: erf(sqrt(z)) / sqrt(z) if z > 0 else 2 / sqrt(pi), 0, mpf("0.75"), 5, 5)
    show("erfcx", erfcx, mpf("0.75"), 2.25, 6, 7)
    show("erfcx", erfcx, 2.25, 6, 6, 7)
    show("x sqrt(pi) erfcx in z=1/x^2", lambda z: erfcx(1 / sqrt(z)) / sqrt(z) * sqrt(pi) if z > 0 else mpf(1), 0, mpf(1) / 36, 4, 4)
    c = mpf("0.180625")  # 0.425^2
    show("quantile(1/2+q)/q in t=0.425^2-q^2",
         lambda t: sqrt(mpf(2)) * erfinv(2 * sqrt(c - t)) / sqrt(c - t) if t < c else sqrt(2 * pi), 0, c, 8, 8)
    show("upper quantile in t=sqrt(-log p)-1.6", lambda t: upper_normal_quantile(t + mpf("1.6")), mpf("-0.01"), mpf("3.4"), 8, 7)
    show("upper quantile in t=sqrt(-log p)-5", lambda t: upper_normal_quantile(t + 5), 0, mpf("22.5"), 9, 8)
    root = findroot(digamma, mpf("1.4616"))
    hi = mpf(float(root))
    print("digamma root", repr(float(hi)), repr(float(root - hi)))
    show("digamma(x)/(x-root) in d=x-1.46..", lambda d: digamma(root + d) / d if abs(d) > mpf(10) ** -40 else polygamma(1, root), mpf("-0.4616"), mpf("0.5384"), 7, 6)
    show("log gamma(2 + d)/d", lambda d: mp.loggamma(2 + d) / d if abs(d) > mpf(10) ** -30 else 1 - mp.euler, mpf("-0.5"), mpf("0.5"), 7, 6)
