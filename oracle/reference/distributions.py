"""Distribution functions in multiple precision (mpmath), in both tails: the arguments of distributions-core.json and
distributions-noncentral.json, computed anew. Takes minutes: the studentized range is a double integral.
Run from the project's root:  python3 oracle/reference/distributions.py [core|noncentral]"""
import json
import sys
import mpmath as mp
import numpy

mp.mp.dps = 40


def tails(lower, upper):
    return {"lower": float(lower), "upper": float(upper)}


def normal(x):
    return tails(mp.ncdf(x), mp.ncdf(-x))


def log_normal(x):
    return mp.log(mp.ncdf(x)) if x < 5 else mp.log1p(-mp.ncdf(-x))


def beta_tails(x, y, a, b):
    """I_x(a, b) with y = 1 - x given to full precision."""
    return mp.betainc(a, b, 0, x, regularized=True), mp.betainc(b, a, 0, y, regularized=True)


def student(t, df):
    x = df / (df + t * t)
    tail = mp.betainc(df / 2, mp.mpf(1) / 2, 0, x, regularized=True) / 2
    return tails(tail, 1 - tail) if t < 0 else tails(1 - tail, tail)


def gamma(x, a):
    return tails(mp.gammainc(a, 0, x, regularized=True), mp.gammainc(a, x, mp.inf, regularized=True))


def fisher(x, d1, d2):
    return tails(*beta_tails(d1 * x / (d1 * x + d2), d2 / (d1 * x + d2), d1 / 2, d2 / 2))


def beta(x, a, b):
    return tails(*beta_tails(x, 1 - x, a, b))


def quantile(cdf, p, start):
    """The root of the smaller tail on a log scale, by bisection from a wide bracket and secant steps."""
    small = p if p < 0.5 else 1 - p
    side = "lower" if p < 0.5 else "upper"
    return mp.findroot(lambda q: mp.log(cdf(q)[side]) - mp.log(small), start, solver="secant", tol=mp.mpf(10) ** -30)


CORE = {
    "pnorm": (("x",), normal), "pt": (("t", "df"), student), "pchisq": (("x", "df"), lambda x, df: gamma(x / 2, df / 2)),
    "pf": (("x", "df1", "df2"), fisher), "pbeta": (("x", "a", "b"), beta), "pgamma": (("x", "a"), gamma),
}
VALUES = {"log-pnorm": (("x",), log_normal), "lgamma": (("x",), mp.loggamma), "digamma": (("x",), mp.digamma)}
# quantiles are checked, not found again: the stored value must be the double next to the root of its distribution function
QUANTILES = {"qnorm": (("p",), "pnorm"), "qt": (("p", "df"), "pt"), "qchisq": (("p", "df"), "pchisq"), "qf": (("p", "df1", "df2"), "pf"), "qbeta": (("p", "a", "b"), "pbeta")}


def exact_tails(name, args):
    """As CORE, without rounding to doubles."""
    global tails
    rounded, tails = tails, lambda lower, upper: {"lower": lower, "upper": upper}
    try:
        return CORE[name][1](*args)
    finally:
        tails = rounded


def check_quantile(name, stored, p, rest):
    """Brackets the stored double by its neighbours."""
    below, above = (mp.mpf(float(numpy.nextafter(stored, side))) for side in (-numpy.inf, numpy.inf))
    side = "lower" if p <= 0.5 else "upper"
    want = p if p <= 0.5 else 1 - p
    ends = sorted(exact_tails(name, (q, *rest))[side] for q in (below - abs(below) * mp.mpf(10) ** -14, above + abs(above) * mp.mpf(10) ** -14))
    assert ends[0] <= want <= ends[1], (name, stored, p, rest)
    return stored


def core(case):
    args = [[mp.mpf(v) for v in column] for column in case["args"].values()]
    name = case["id"]
    if name in CORE:
        found = [CORE[name][1](*row) for row in zip(*args)]
        return {side: [one[side] for one in found] for side in ("lower", "upper")}
    if name in VALUES:
        return {"value": [float(VALUES[name][1](*row)) for row in zip(*args)]}
    stored = case["expected"]["value"]
    return {"value": [check_quantile(QUANTILES[name][1], q, row[0], row[1:]) for q, row in zip(stored, zip(*args))]}


def binomial(k, n, p):
    k, n = int(k), int(n)
    low = mp.fsum(mp.binomial(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))
    high = mp.fsum(mp.binomial(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1, n + 1))
    return tails(low, high)


def poisson_mixture(ncp, part):
    """Sum over j ~ Poisson(ncp / 2) of part(j), from the mode outwards; part gives (lower, upper)."""
    half, low, high, mass = mp.mpf(ncp) / 2, mp.mpf(0), mp.mpf(0), mp.mpf(0)
    mode, step = int(half), 0
    while True:
        for j in {mode + step, mode - step}:
            if j < 0:
                continue
            w = mp.exp(-half + j * mp.log(half) - mp.loggamma(j + 1)) if half > 0 else mp.mpf(j == 0)
            lo, hi = part(j)
            low, high, mass = low + w * lo, high + w * hi, mass + w
        step += 1
        last = mp.exp(-half + (mode + step) * mp.log(half) - mp.loggamma(mode + step + 1)) if half > 0 else 0
        if step > 20 and last < mp.mpf(10) ** -mp.mp.dps:
            return tails(low, high)


def noncentral_chi_square(x, df, ncp):
    def part(j):
        return mp.gammainc(df / 2 + j, 0, x / 2, regularized=True), mp.gammainc(df / 2 + j, x / 2, mp.inf, regularized=True)
    return poisson_mixture(ncp, part)


def noncentral_f(x, d1, d2, ncp):
    y = d1 * x / (d1 * x + d2)
    return poisson_mixture(ncp, lambda j: beta_tails(y, d2 / (d1 * x + d2), d1 / 2 + j, d2 / 2))


def noncentral_t(t, df, ncp):
    """Integral over s = chi / sqrt(df) of Phi(t s - ncp)."""
    log_c = df / 2 * mp.log(df) - mp.loggamma(df / 2) - (df / 2 - 1) * mp.log(2)
    density = lambda s: mp.exp(log_c + (df - 1) * mp.log(s) - df * s * s / 2) if s > 0 else mp.mpf(0)
    width = 1 / mp.sqrt(2 * df)
    cuts = [mp.mpf(0)] + sorted({max(mp.mpf(0), 1 + k * width) for k in (-12, -6, -3, 0, 3, 6, 12, 24)} - {mp.mpf(0)}) + [1 + 60 * width + 8]
    low = mp.quad(lambda s: density(s) * mp.ncdf(t * s - ncp), cuts)
    high = mp.quad(lambda s: density(s) * mp.ncdf(ncp - t * s), cuts)
    return tails(low, high)


# The studentized range stays as it was computed for the reference set (mpmath, tanh-sinh over both integrals): its 738 values take hours.
NONCENTRAL = {"pbinom": binomial, "pt-noncentral": noncentral_t, "pchisq-noncentral": noncentral_chi_square, "pf-noncentral": noncentral_f}


def noncentral(case):
    if case["id"] not in NONCENTRAL:
        return case["expected"]
    args = [[mp.mpf(v) for v in column] for column in case["args"].values()]
    found = [NONCENTRAL[case["id"]](*row) for row in zip(*args)]
    return {side: [one[side] for one in found] for side in ("lower", "upper")}


def remake(name, answer):
    path = f"oracle/reference/distributions-{name}.json"
    with open(path) as f:
        reference = json.load(f)
    for case in reference["cases"]:
        case["expected"] = answer(case)
        print(case["id"], file=sys.stderr)
    reference["generated_with"] = {"mpmath": mp.__version__, "numpy": numpy.__version__}
    cases = reference.pop("cases")
    plain = lambda x: json.dumps(x, separators=(",", ":"))
    with open(path, "w") as f:
        f.write(plain(reference)[:-1] + ',"cases":[\n' + ",\n".join(map(plain, cases)) + "\n]}\n")


for which in sys.argv[1:] or ["core", "noncentral"]:
    remake(which, core if which == "core" else noncentral)
