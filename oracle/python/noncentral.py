"""Reference values for the discrete and noncentral distributions and the studentized range.

Writes noncentral.json beside this file.
Arguments are taken as the exact doubles that the JSON holds. Methods (other ones than the library's, except that the last
and the noncentral t at large df evaluate the same integral, in multiple precision and with other steps):
  binomial, poisson   pmf from log-gamma at 60 digits, the smaller tail summed in 320-bit fixed point
  hypergeometric      exact integers
  noncentral t        df <= 200: the Poisson-beta series at 450 digits, so that its cancellation does not matter;
                      larger df: Gauss-Legendre quadrature of the defining integral at 30 digits
  noncentral chi2, F  Poisson mixtures of the central cdf at 450 digits
  studentized range   double trapezoid sum at 25 digits, done twice with different steps; the last column is
                      the relative disagreement of the two
Usage: python3 noncentral.py [case ...]   (a case replaces only its own part of the file)
"""

import json
import math
import os
import sys
from fractions import Fraction

import mpmath
from mpmath import mp, mpf

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "noncentral.json")


def tails(lower, upper):
    """[lower, upper, log lower, log upper]: probabilities as the nearest doubles, logarithms from the smaller tail."""
    lower, upper = mpf(lower), mpf(upper)
    log = lambda p, other: float("-inf") if p <= 0 else float(mp.log1p(-other) if other < 0.5 else mp.log(p))
    return [float(lower), float(upper), log(lower, upper), log(upper, lower)]


def is_resolved(row):
    """Tails below 1e-400 are beyond the 450 digits that the differences below are taken with."""
    return min(row[-2:]) > -920


# ---------------------------------------------------------------- discrete
BITS = 320


def binomial_row(k, n, p):
    mp.dps = 60
    P = mpf(p)
    log_pmf = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1) + k * mp.log(P) + (n - k) * mp.log1p(-P)
    pmf = mp.exp(log_pmf)
    pn, pd = float(p).as_integer_ratio()
    qn = pd - pn
    one = 1 << BITS
    if k < n * p:
        t, s, j = one, one, k
        while j > 0 and t > 0:
            t = t * (j * qn) // ((n - j + 1) * pn)
            s += t
            j -= 1
        lower = pmf * mpf(s) / one
        upper = 1 - lower
    else:
        t, s, j = one, 0, k
        while j < n and t > 0:
            t = t * ((n - j) * pn) // ((j + 1) * qn)
            s += t
            j += 1
        upper = pmf * mpf(s) / one
        lower = 1 - upper
    return [k, n, p, float(pmf), float(log_pmf), *tails(lower, upper)]


def binomial():
    rows = []
    for n in (1, 7, 40, 1000, 123456, 10**7, 10**9):
        for p in (1e-6, 0.01, 0.3, 0.5, 0.77, 0.999):
            mu, sd = n * p, math.sqrt(n * p * (1 - p))
            for z in (-30, -12, -4, -1, 0, 0.3, 3, 9, 25):
                k = round(mu + z * sd)
                if 0 <= k <= n:
                    rows.append(binomial_row(k, n, p))
    unique = {tuple(r[:3]): r for r in rows}
    return list(unique.values())


def hypergeometric_row(x, m, n, k):
    lo, hi = max(0, k - n), min(k, m)
    total = math.comb(m + n, k)
    term = math.comb(m, x) * math.comb(n, k - x)
    pmf = Fraction(term, total)
    s, t = term, term
    for j in range(x, lo, -1):
        t = t * j * (n - k + j) // ((m - j + 1) * (k - j + 1))
        s += t
    lower = Fraction(s, total)
    mp.dps = 40
    decimal = lambda f: mpf(f.numerator) / mpf(f.denominator)
    return [x, m, n, k, float(decimal(pmf)), float(mp.log(decimal(pmf))), *tails(decimal(lower), decimal(1 - lower))]


def hypergeometric():
    rows = []
    for m, n, k in ((5, 10, 7), (1, 1, 1), (50, 60, 30), (300, 20, 100), (1000, 3000, 500), (20, 5000, 2500), (2000, 2000, 2000),
                    (9000, 11000, 4000), (3, 20000, 15000)):
        lo, hi = max(0, k - n), min(k, m)
        mean = k * m / (m + n)
        sd = math.sqrt(k * m / (m + n) * n / (m + n) * (m + n - k) / max(1, m + n - 1))
        for z in (-25, -10, -5, -2, -0.5, 0, 0.5, 2, 5, 10, 25):
            x = round(mean + z * sd)
            if lo <= x <= hi:
                rows.append(hypergeometric_row(x, m, n, k))
        rows += [hypergeometric_row(x, m, n, k) for x in (lo, hi)]
    unique = {tuple(r[:4]): r for r in rows}
    return list(unique.values())


def poisson_row(k, lam):
    mp.dps = 60
    L = mpf(lam)
    log_pmf = k * mp.log(L) - L - mp.loggamma(k + 1)
    pmf = mp.exp(log_pmf)
    ln, ld = float(lam).as_integer_ratio()
    one = 1 << BITS
    if k < lam:
        t, s, j = one, one, k
        while j > 0 and t > 0:
            t = t * (j * ld) // ln
            s += t
            j -= 1
        lower = pmf * mpf(s) / one
        upper = 1 - lower
    else:
        t, s, j = one, 0, k
        while t > 0:
            j += 1
            t = t * ln // (j * ld)
            s += t
        upper = pmf * mpf(s) / one
        lower = 1 - upper
    return [k, lam, float(pmf), float(log_pmf), *tails(lower, upper)]


def poisson():
    rows = []
    for lam in (1e-8, 0.3, 1.0, 7.7, 50.5, 1234.5, 1e6, 123456789.1):
        for z in (-30, -12, -4, -1, 0, 0.4, 1, 3, 9, 25, 60):
            k = round(lam + z * math.sqrt(lam))
            if k >= 0:
                rows.append(poisson_row(k, lam))
        rows += [poisson_row(k, lam) for k in (0, 1, 5) if lam < 100]
    unique = {tuple(r[:2]): r for r in rows}
    return list(unique.values())


# ---------------------------------------------------------------- noncentral
DEEP = 450


def beta_prefix(x, a, b):
    return mp.exp(a * mp.log(x) + b * mp.log1p(-x) + mp.loggamma(a + b) - mp.loggamma(a + 1) - mp.loggamma(b))


def beta_lower(x, a, b):
    """I_x(a, b) by its positive power series, on the side where it converges faster than 2^-n per term."""
    if x > mpf(1) / 2:
        return 1 - beta_lower(1 - x, b, a)
    s = t = mpf(1)
    j = 0
    eps = mpf(10) ** (-mp.dps)
    while True:
        t *= x * (a + b + j) / (a + 1 + j)
        s += t
        j += 1
        if t < eps * s and (a + b + j) * x < (a + 1 + j):
            return beta_prefix(x, a, b) * s


def nct_series(t, df, ncp):
    """P(T <= t) for t > 0 at the current precision."""
    n, d, t = mpf(df), mpf(ncp), mpf(t)
    x = t * t / (n + t * t)
    b = n / 2
    lam = d * d / 2
    half = mpf(1) / 2
    pj = mp.exp(-lam)
    qj = d / mp.sqrt(2) * mp.exp(-lam) / mp.gamma(mpf(3) / 2)
    i1, i2 = beta_lower(x, half, b), beta_lower(x, mpf(1), b)
    g1, g2 = beta_prefix(x, half, b), beta_prefix(x, mpf(1), b)
    s = mpf(0)
    j = 0
    tiny = mpf(10) ** (-mp.dps)
    while pj > tiny or abs(qj) > tiny or j < lam:
        s += pj * i1 + qj * i2
        i1 -= g1
        i2 -= g2
        g1 *= x * (half + b + j) / (half + 1 + j)
        g2 *= x * (1 + b + j) / (2 + j)
        j += 1
        pj *= lam / j
        qj *= lam / (j + half)
    return mp.ncdf(-d) + s / 2


def nct_quad(t, df, ncp, upper):
    """Quadrature of Phi(+-(t s - ncp)) against the density of s = sqrt(chi2/df), in v = s - 1."""
    n, d, t = mpf(df), mpf(ncp), mpf(t)
    sign = -1 if upper else 1
    log_c = mp.log(2) + n / 2 * mp.log(n / 2) - mp.loggamma(n / 2)

    def log_f(s):
        z = sign * (t * s - d)
        return log_c + (n - 1) * mp.log(s) - n * s * s / 2 + mp.log(mp.erfc(-z / mp.sqrt(2)) / 2)

    lo, hi = mpf("1e-6"), mpf(60)
    for _ in range(120):
        a, b = lo + (hi - lo) * mpf("0.382"), lo + (hi - lo) * mpf("0.618")
        if log_f(a) < log_f(b):
            lo = a
        else:
            hi = b
    mode = (lo + hi) / 2
    top = log_f(mode)
    edges = [mode]
    for side in (-1, 1):
        w = mpf("1e-7")
        while log_f(mode + side * w) > top - 80 and w < mode:
            w *= mpf("1.3")
        w = min(w, mode)
        edges += [mode + side * w * i / 8 for i in range(1, 9)]
    edges = sorted(edges)
    total = mp.quad(lambda s: mp.exp(log_f(s) - top) if s > 0 else mpf(0), edges, method="gauss-legendre", maxdegree=5)
    return total * mp.exp(top)


def nct_row(t, df, ncp):
    if df <= 200:
        mp.dps = DEEP
        lower = nct_series(t, df, ncp) if t > 0 else (1 - nct_series(-t, df, -ncp) if t < 0 else mp.ncdf(-mpf(ncp)))
        upper = 1 - lower
    else:
        mp.dps = 30
        lower, upper = nct_quad(t, df, ncp, False), nct_quad(t, df, ncp, True)
        assert abs(lower + upper - 1) < mpf("1e-20"), (t, df, ncp, lower + upper)
    return [t, df, ncp, *tails(lower, upper)]


def noncentral_t():
    rows = []
    for df in (0.5, 1, 3.3, 20, 150):
        for ncp in (-7, -0.4, 0, 1.5, 5, 18, 40):
            for t in (-40, -6, -1.2, 0, 0.01, 2.5, 9, 35, 70, 2000):
                rows.append((t, df, ncp))
    for df in (5e3, 1e6, 1e9):
        for ncp in (-3, 0.7, 12, 45):
            for off in (-25, -8, -1.5, 0.2, 4, 11, 24):
                rows.append((ncp + off, df, ncp))
    # here reference/distributions-noncentral.json carries absolute noise of 4e-41
    rows += [(t, df, 12) for t in (-3, -0.5) for df in (2.5, 8, 29, 58, 398)]
    return list(filter(is_resolved, (nct_row(*r) for r in rows)))


def mixture_row(ncp, start_p, g, ratio):
    """Sum over j of Poisson(j; ncp/2) times P(a + j) and 1 - P(a + j), P falling by g_j at each step."""
    lam = mpf(ncp) / 2
    w = mp.exp(-lam)
    P, lower, upper, j = start_p, mpf(0), mpf(0), 0
    tiny = mpf(10) ** (-mp.dps + 20)
    while j < lam or w > tiny:
        lower += w * P
        upper += w * (1 - P)
        P -= g
        g *= ratio(j)
        j += 1
        w *= lam / j
    return lower, upper


def gamma_lower(a, y):
    s = t = mpf(1)
    j = 0
    eps = mpf(10) ** (-mp.dps)
    while True:
        j += 1
        t *= y / (a + j)
        s += t
        if t < eps * s and y < a + j:
            return s * mp.exp(a * mp.log(y) - y - mp.loggamma(a + 1))


def ncx2_row(x, df, ncp):
    mp.dps = DEEP
    a, y = mpf(df) / 2, mpf(x) / 2
    g = mp.exp(a * mp.log(y) - y - mp.loggamma(a + 1))
    lower, upper = mixture_row(ncp, gamma_lower(a, y), g, lambda j: y / (a + 1 + j))
    return [x, df, ncp, *tails(lower, upper)]


def noncentral_chi_square():
    rows = []
    for df in (0.3, 1, 4, 17.5, 300):
        for ncp in (0, 0.01, 3, 40, 400, 3000):
            mean, sd = df + ncp, math.sqrt(2 * (df + 2 * ncp))
            points = [mean * c for c in (1e-6, 0.01, 0.3)] + [mean + z * sd for z in (-5, -1, 0.2, 2, 6, 12, 20)]
            rows += [(x, df, ncp) for x in points if 0 < x < 6000]
    rows += [(9e4, 5, 1e5), (1e5, 5, 1e5), (1.06e5, 5, 1e5), (30, 3, 1e-7), (1e-9, 2, 30)]
    return list(filter(is_resolved, (ncx2_row(round(x, 6) if x > 1 else x, df, ncp) for x, df, ncp in rows)))


def ncf_row(f, df1, df2, ncp):
    mp.dps = DEEP
    a, b = mpf(df1) / 2, mpf(df2) / 2
    x = mpf(df1) * mpf(f) / (mpf(df1) * mpf(f) + mpf(df2))
    lower, upper = mixture_row(ncp, beta_lower(x, a, b), beta_prefix(x, a, b), lambda j: x * (a + b + j) / (a + 1 + j))
    return [f, df1, df2, ncp, *tails(lower, upper)]


def noncentral_f():
    rows = []
    for df1 in (0.7, 1, 4, 50):
        for df2 in (0.6, 2, 11.5, 150, 1e4, 1e6):
            for ncp in (0, 0.3, 9, 80, 500):
                centre = 1 + ncp / df1
                for c in (1e-3, 0.2, 0.9, 1.4, 3, 9, 200):
                    if not (df2 > 1000 and centre * c * df1 > 3000):
                        rows.append((round(centre * c, 6), df1, df2, ncp))
    # slow kernels under a wide Poisson window, and almost central ones
    rows += [(1e5, 2, 3, 1e5), (2e4, 2, 3, 1e5), (1e12, 3, 0.5, 1e4), (3e3, 3, 0.5, 1e4), (1e300, 3, 1, 10), (50, 3, 10, 1e-7),
             (12, 5, 1e5, 40), (1e-8, 2, 7, 60)]
    return list(filter(is_resolved, (ncf_row(*r) for r in rows)))


# ---------------------------------------------------------------- studentized range
NORMAL_TABLE = {}


def normal_at(i, h):
    """(density, cdf) at i * h, remembered."""
    if (i, h) not in NORMAL_TABLE:
        z = i * h
        NORMAL_TABLE[i, h] = (mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi), mp.erfc(-z / mp.sqrt(2)) / 2)
    return NORMAL_TABLE[i, h]


def inner_pair(w, k, h):
    """(P(range <= w), P(range > w)) for k standard normals, trapezoid rule with step h."""
    root2 = mp.sqrt(2)
    lower = upper = mpf(0)
    for i in range(int(mp.floor(-9 / h)), int(mp.ceil(max(mpf(9), w / 2 + 9) / h))):
        density, A = normal_at(i, h)
        B = mp.erfc((w - i * h) / root2) / 2
        C = A - B
        c = C ** (k - 1)
        lower += density * c
        # A^m - C^m with A - C = B, without cancellation where B is small against A
        upper += density * (A ** (k - 1) - c if B > A / 1000 else A ** (k - 1) * -mp.expm1((k - 1) * mp.log1p(-B / A)))
    return k * h * lower, k * h * upper


def range_row(q, k, df, h, outer):
    """outer: step in u = log s, in units of min(1, standard deviation of u)."""
    mp.dps = 25
    h = mpf(h)
    if df == math.inf:
        return inner_pair(mpf(q), k, h)
    n = mpf(df)
    log_c = mp.log(2) + n / 2 * mp.log(n / 2) - mp.loggamma(n / 2)
    log_f = lambda u: log_c + n * (u - mp.exp(2 * u) / 2)
    step = mpf(outer) * min(1, 1 / mp.sqrt(2 * n))
    lower = upper = mpf(0)
    for direction in (1, -1):
        i = 0 if direction == 1 else -1
        while True:
            u = i * step
            f = mp.exp(log_f(u))
            l, r = inner_pair(q * mp.exp(u), k, h)
            lower += f * l
            upper += f * r
            if f * l < lower * mpf("1e-22") and f * r < upper * mpf("1e-22"):
                break
            i += direction
    return lower * step, upper * step


def studentized_range():
    mp.dps = 25
    points = [(q, k, math.inf) for k in (2, 3, 40, 200) for q in (0.05, 0.8, 3, 6, 11, 25)]
    points += [(0.5, 3, 1), (6, 5, 1), (300, 5, 1), (40, 200, 1), (9, 3, 2), (0.02, 4, 2.5), (12, 30, 6.6), (30, 7, 12), (2.2, 100, 15),
               (7, 100, 15), (14, 12, 60), (5, 200, 300), (9, 200, 300), (3.7, 4, 1e5), (13, 4, 1e5), (6.5, 50, 1e8)]
    rows = []
    for q, k, df in points:
        fine = 0.25 if k < 10 else 0.5 / math.sqrt(k)
        first, second = range_row(q, k, df, fine, 0.11), range_row(q, k, df, fine * 0.9, 0.1)
        worst = max(abs(first[i] / second[i] - 1) for i in (0, 1))
        sys.stderr.write(f"{q} {k} {df} {mp.nstr(worst, 3)}\n")
        rows.append([q, k, df, *tails(*second), float(worst)])
    return rows


TAILS = ["lower", "upper", "logLower", "logUpper"]
CASES = {
    "binomial": (binomial, ["k", "n", "p"], ["pmf", "logPmf", *TAILS]),
    "hypergeometric": (hypergeometric, ["k", "successes", "failures", "draws"], ["pmf", "logPmf", *TAILS]),
    "poisson": (poisson, ["k", "lambda"], ["pmf", "logPmf", *TAILS]),
    "noncentral-t": (noncentral_t, ["t", "df", "ncp"], TAILS),
    "noncentral-chi-square": (noncentral_chi_square, ["x", "df", "ncp"], TAILS),
    "noncentral-f": (noncentral_f, ["x", "df1", "df2", "ncp"], TAILS),
    "studentized-range": (studentized_range, ["q", "k", "df"], [*TAILS, "disagreement"]),
}


def cell(x):
    return str(x).replace("inf", "Infinity") if isinstance(x, float) and math.isinf(x) else x


def main():
    old = json.load(open(OUT))["cases"] if os.path.exists(OUT) else []
    cases = {c["id"]: c for c in old}
    for name in sys.argv[1:] or CASES:
        make, args, expected = CASES[name]
        columns = [[cell(x) for x in column] for column in zip(*make())]
        cases[name] = {
            "id": name,
            "args": dict(zip(args, columns)),
            "expected": dict(zip(expected, columns[len(args):])),
        }
    head = {"schema": "oracle/1", "generated_with": {"python": sys.version.split()[0], "mpmath": mpmath.__version__}}
    head["note"] = "made by noncentral.py; arguments are exact doubles; strings are infinities"
    with open(OUT, "w") as f:
        f.write(json.dumps(head)[:-1] + ', "cases": [\n' + ",\n".join(json.dumps(cases[n]) for n in CASES if n in cases) + "\n]}\n")


main()
