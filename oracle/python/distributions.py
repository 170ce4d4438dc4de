"""Reference values for special functions and continuous distributions, far into the tails and to extreme parameters.

Tails of gamma and beta are integrals of a positive, log-concave density in log x or logit x, done by tanh-sinh quadrature on
panels of doubling width with 36 digits: no method is shared with the library. Panels are checked against mpmath's own
gammainc and betainc where those converge. Arguments are the exact doubles; results are rounded once, to double.
Run: python3 distributions.py > distributions.json   (about a minute)
"""
import json
import platform

import mpmath
from mpmath import mp, mpf, exp, log, log1p, sqrt, erfc, pi, loggamma, quad, inf

mp.dps = 36
CUT = mpf(-85)  # e^-85 of the integrand's largest value is left out


def panels(logf, sign, width):
    """log of the integral of exp(logf(v)) over v in (0, sign * inf); logf is concave with logf(0) = 0."""
    total, start, step, peak = mpf(0), mpf(0), width, mpf(0)
    while True:
        stop = start + step
        total += quad(lambda v: exp(logf(sign * v)), [start, stop])
        end = logf(sign * stop)
        if end < peak + CUT:
            return log(total)
        peak, start, step = max(peak, end), stop, 2 * step


def half_width(slope, curvature):
    return 1 / (abs(slope) + sqrt(curvature) + 1) / 2


def gamma_kernel(a, x):
    return a * log(x) - x - loggamma(a)


def gamma_tail(a, x, sign):
    """log of the lower (sign -1) or upper (+1) tail: the density in log x is x^a e^-x / Gamma(a)."""
    return gamma_kernel(a, x) + panels(lambda v: a * v - x * mp.expm1(v), sign, half_width(a - x, x + a))


def gamma_tails(a, x):
    a, x = mpf(a), mpf(x)
    return both(lambda sign: gamma_tail(a, x, sign), x <= a)


def beta_kernel(a, b, x, y):
    return a * log(x) + b * log(y) + loggamma(a + b) - loggamma(a) - loggamma(b)


def beta_tail(a, b, x, y, sign):
    """log of a tail: the density in logit x is x^a y^b / B(a, b)."""
    width = half_width(a * y - b * x, (a + b) * x * y)
    if x > y:  # y may be far below the working precision of 1 - x
        logf = lambda v: a * v - (a + b) * log(y + x * exp(v))
    else:
        logf = lambda v: a * v - (a + b) * log1p(x * mp.expm1(v))
    return beta_kernel(a, b, x, y) + panels(logf, sign, width)


def beta_tails(a, b, x, y):
    a, b, x, y = mpf(a), mpf(b), mpf(x), mpf(y)
    return both(lambda sign: beta_tail(a, b, x, y, sign), a * y >= b * x)


def both(tail, lower_first):
    """(log lower, log upper); the second tail by subtraction unless that would cancel."""
    first = tail(-1 if lower_first else 1)
    if first < -1:
        second = log1p(-exp(first))
    elif first < mpf("-1e-6"):
        second = log(-mp.expm1(first))
    else:
        second = tail(1 if lower_first else -1)
    return (first, second) if lower_first else (second, first)


def t_tails(t, df):
    """log P(T <= t), log P(T > t)."""
    t, df = mpf(t), mpf(df)
    x = df / (df + t * t)
    low, up = beta_tails(df / 2, mpf(1) / 2, x, t * t / (df + t * t))
    outer = low - log(mpf(2))
    rest = log1p(-exp(outer))
    return (outer, rest) if t < 0 else (rest, outer)


def f_tails(f, d1, d2):
    f, d1, d2 = mpf(f), mpf(d1), mpf(d2)
    s = d2 + d1 * f
    return beta_tails(d1 / 2, d2 / 2, d1 * f / s, d2 / s)


def normal_tails(x):
    x = mpf(x)
    r = sqrt(mpf(2))
    q = lambda z: log(erfc(z / r) / 2)
    if x < 0:
        return q(-x), log1p(-erfc(-x / r) / 2)
    return log1p(-erfc(x / r) / 2), q(x)


def solve(tail, density, target, u):
    """Newton on log tail(u) = target; the tail is log-concave in u, and density(u) is the log of the density in u."""
    for _ in range(300):
        value = tail(u)
        step = (target - value) / exp(density(u) - value)
        u += step
        if abs(step) < mpf(10) ** -13 * max(1, abs(u)) and abs(target - value) < mpf(10) ** -13 * max(1, abs(target)):
            return u  # the error is now of the order of the square of this
    raise ArithmeticError("no convergence")


def number(v):
    v = float(v)
    return v if v == v and abs(v) != float("inf") else str(v)


cases = []


def tails_case(name, keys, rows, f):
    expected = {"lower": [], "upper": [], "logLower": [], "logUpper": []}
    for row in rows:
        low, up = f(*row)
        for key, value in zip(expected, (exp(low), exp(up), low, up)):
            expected[key].append(number(value))
    cases.append({"id": name, "args": {k: [r[i] for r in rows] for i, k in enumerate(keys)}, "expected": expected})


def value_case(name, keys, rows, f):
    cases.append({"id": name, "args": {k: [r[i] for r in rows] for i, k in enumerate(keys)},
                  "expected": {"value": [number(f(*r)) for r in rows]}})


def check():
    for a, x in ((0.3, 0.2), (2.5, 9.0), (40.0, 12.0), (40.0, 41.0), (1e-4, 3.0)):
        low, up = gamma_tails(a, x)
        assert abs(exp(low) / mp.gammainc(a, 0, x, regularized=True) - 1) < mpf(10) ** -28, (a, x)
        assert abs(exp(up) / mp.gammainc(a, x, inf, regularized=True) - 1) < mpf(10) ** -28, (a, x)
    for a, b, x in ((0.3, 0.2, 0.7), (2.5, 30.0, 0.02), (40.0, 12.0, 0.9), (1e-4, 3.0, 0.5)):
        low, up = beta_tails(a, b, x, 1 - mpf(x))
        assert abs(exp(low) / mp.betainc(a, b, 0, x, regularized=True) - 1) < mpf(10) ** -28, (a, b, x)
        assert abs(exp(up) / mp.betainc(a, b, x, 1, regularized=True) - 1) < mpf(10) ** -28, (a, b, x)


def spread(center, scale, multiples):
    return [center + m * scale for m in multiples if center + m * scale > 0]


def gamma_rows():
    rows = []
    for a in (1e-6, 1e-3, 0.05, 0.5, 1.0):
        rows += [(a, x) for x in (1e-300, 1e-20, 1e-3, 0.3, 1.9999, 2.0001, 7.5, 60.0, 700.0, 5e4)]
    for a in (1.7, 4.0, 12.5, 19.99, 20.0, 33.3):
        rows += [(a, x) for x in (1e-30, 1e-4, 0.2 * a, 0.6 * a, a, a + 0.99, a + 1.01, 1.8 * a, 5 * a, 40 * a, 1e5)]
    for a in (150.0, 2345.6, 1e5, 3.3e7, 5e9):
        rows += [(a, x) for x in spread(a, a**0.5, (-34, -9, -2, -1e-3, 0, 1, 5, 12, 36))]
        rows += [(a, 0.1 * a), (a, 0.5 * a), (a, 0.999 * a), (a, 1.3 * a), (a, 2.2 * a), (a, 30 * a)]
    return rows


def beta_rows():
    rows = []
    for a, b in ((1e-6, 1e-6), (1e-6, 1.0), (1e-6, 1e8), (1e-3, 0.4), (0.5, 0.5), (1.0, 1.0), (0.3, 25.0), (0.02, 1e5), (1.0, 1e8)):
        xs = [1e-300, 1e-12, 0.001, 0.25, 0.5, 0.75, 0.999, 1 - 2.0**-40]
        xs += [m / b for m in (0.01, 0.5, 1.9, 2.1, 9.0, 300.0) if m < b]
        rows += [(a, b, x) for x in xs] + [(b, a, x) for x in xs if a != b]
    for a, b in ((1.5, 1.5), (2.0, 900.0), (9.9, 10.1), (19.0, 25.0), (45.0, 45.0), (37.5, 4e4), (21.0, 1e8), (400.0, 600.0),
                 (1e4, 2.5e4), (1e8, 1e8), (5e3, 1e8), (5e9, 5e9)):
        r = a + b
        sd = (a / r * b / r / (r + 1)) ** 0.5
        xs = [x for x in spread(a / r, sd, (-30, -8, -2, -1e-3, 0, 1.5, 6, 25)) if x < 1]
        xs += [1e-200, 1e-3 * a / r, 0.4 * a / r, 0.9 * a / r]
        rows += [(a, b, x) for x in xs] + [(b, a, x) for x in xs if a != b]
    return rows


def t_rows():
    ts = (1e-10, 0.01, 0.9999999, 1.0, 2.0, 4.5, 12.0, 38.0, 500.0, 1e6, 1e40)
    return [(-t if i % 2 else t, df) for i, df in enumerate((1e-3, 0.1, 0.9, 1.0, 2.5, 3.0, 19.7, 20.3, 64.0, 500.5, 1e5, 1e10)) for t in ts]


def f_rows():
    rows = []
    for d1, d2 in ((1e-3, 2.0), (1.0, 1.0), (1.0, 1e10), (2.0, 7.3), (3.0, 4e5), (41.0, 43.0), (1e10, 5.0), (300.0, 1e7), (1e10, 1e10)):
        rows += [(f, d1, d2) for f in (1e-150, 1e-8, 0.05, 0.7, 0.9999, 1.0, 1.0001, 1.7, 12.0, 900.0, 1e30)]
    return rows


def main():
    check()
    tails_case("normal", ("x",), [(x,) for x in (-1e6, -1e5, -300.0, -38.4, -38.0, -37.6, -25.3, -13.7, -8.25, -6.0, -2.3, -1.0, -0.99, -0.3, -1e-12,
                                                   0.0, 1e-300, 0.2, 0.7, 1.3, 3.1, 5.5, 8.3, 9.0, 20.0, 38.1, 50.0)], normal_tails)
    tails_case("gamma", ("a", "x"), gamma_rows(), gamma_tails)
    tails_case("beta", ("a", "b", "x"), beta_rows(), lambda a, b, x: beta_tails(a, b, x, 1 - mpf(x)))
    tails_case("t", ("t", "df"), t_rows(), t_tails)
    tails_case("f", ("f", "df1", "df2"), f_rows(), f_tails)

    half = log(mpf("0.5"))

    def qnorm_log(p):
        lower = p < half
        target = mpf(p) if lower else log(-mp.expm1(p))
        tail = lambda u: normal_tails(-u)[1]
        x = -solve(tail, lambda u: -u * u / 2 - log(2 * pi) / 2, target, -sqrt(-2 * target))
        return -x if lower else x
    ps = (-1e9, -1e5, -5000.0, -745.0, -700.0, -120.0, -24.9, -25.1, -3.0, -2.6, -1.0, -0.7, -0.5, -0.1, -0.01, -1e-9, -1e-200)
    value_case("normal-quantile-log", ("logP",), [(p,) for p in ps], qnorm_log)

    def qgamma(logp, a, lower):
        sign = -1 if (logp < half) == lower else 1
        target = mpf(logp) if logp < half else log(-mp.expm1(logp))
        a = mpf(a)
        if sign < 0:
            u = (target + loggamma(a + 1)) / a
        else:
            u = -log(a + abs(target) * 2 + 8 * sqrt(a * (1 + abs(target))))
        # the upper tail is solved in -log x, where it increases
        tail = lambda u: gamma_tail(a, exp(-sign * u), sign)
        return exp(-sign * solve(tail, lambda u: gamma_kernel(a, exp(-sign * u)), target, u))
    rows = [(lp, a, low) for a in (0.01, 0.5, 3.3, 50.0, 4e4) for lp in (-690.0, -30.0, -0.69, -1e-10) for low in (True, False)]
    rows += [(-1e5, 3.0, True), (-1e5, 3.0, False), (-1e5, 1e3, False), (-20.0, 5e9, True), (-1.0, 5e9, False)]
    value_case("gamma-quantile-log", ("logP", "a", "lower"), rows, qgamma)

    def beta_logit(logp, a, b):
        """logit x with log I_x(a, b) = logp."""
        a, b = mpf(a), mpf(b)
        x = lambda u: 1 / (1 + exp(-u))
        lead = (mpf(logp) - loggamma(a + b) + loggamma(a + 1) + loggamma(b)) / a
        tail = lambda u: beta_tail(a, b, x(u), x(-u), -1)
        return solve(tail, lambda u: beta_kernel(a, b, x(u), x(-u)), mpf(logp), min(lead, mpf(0)))

    def qt(logq, df):
        """t > 0 with log P(T > t) = logq: df / t^2 are the odds of beta(df/2, 1/2)."""
        return sqrt(mpf(df) * exp(-beta_logit(mpf(logq) - half, mpf(df) / 2, mpf(1) / 2)))
    rows = [(lp, df) for df in (0.05, 0.8, 1.0, 2.5, 12.3, 300.0, 1e5) for lp in (-690.0, -100.0, -3.0, -0.7)]
    value_case("t-quantile-log-upper", ("logQ", "df"), rows, qt)

    rows = [(lp, a, b) for a, b in ((0.05, 0.3), (0.5, 3e4), (1.0, 1.0), (2.5, 0.4), (7.0, 3.0), (60.0, 1e5), (1e6, 2e6)) for lp in (-600.0, -40.0, -0.9)]
    value_case("beta-quantile-log", ("logP", "a", "b"), rows, lambda lp, a, b: 1 / (1 + exp(-beta_logit(lp, a, b))))

    mp.dps = 60
    xs = (-1e4, -26.0, -5.9, -2.0, -0.8, -1e-9, 1e-12, 0.4, 0.8660254, 0.87, 1.5, 2.249, 2.251, 4.0, 5.99, 6.01, 12.0, 26.5, 1e3, 1e8)
    value_case("erf", ("x",), [(x,) for x in xs], lambda x: mp.erf(mpf(x)))
    value_case("erfc", ("x",), [(x,) for x in xs], lambda x: erfc(mpf(x)))
    value_case("erfcx", ("x",), [(x,) for x in xs if x > -26], lambda x: exp(mpf(x) ** 2) * erfc(mpf(x)))
    value_case("log-erfc", ("x",), [(x,) for x in xs], lambda x: log(erfc(mpf(x))))
    gs = (1e-300, 1e-9, 0.01, 0.3, 0.499, 0.501, 0.999999, 1.0000001, 1.3, 1.49, 1.51, 1.99999999, 2.0000001, 2.499, 2.501, 3.7, 7.2, 9.99, 10.01, 19.9, 20.1, 60.5, 170.9)
    value_case("gamma-function", ("x",), [(x,) for x in gs if x > 1e-290] + [(-0.5,), (-3.3,), (-20.7,)], lambda x: mp.gamma(mpf(x)))
    value_case("log-gamma", ("x",), [(x,) for x in gs + (1e3, 1e8, 1e20, 1e300)], lambda x: loggamma(mpf(x)))
    value_case("digamma", ("x",), [(x,) for x in gs + (1.46163, 1.4616321449683622, 1e8, -0.5, -3.3)], lambda x: mp.digamma(mpf(x)))
    value_case("trigamma", ("x",), [(x,) for x in gs[1:] + (1e8, -0.5, -3.3)], lambda x: mp.polygamma(1, mpf(x)))
    value_case("log-gamma-delta", ("x", "d"), [(x, d) for x in (1e-6, 0.2, 1.4616, 3.0, 9.9, 10.0, 250.0, 1e9) for d in (1e-12, 1e-6, 0.01, 0.5, 1.0, 8.0, 700.0)],
               lambda x, d: loggamma(mpf(x) + mpf(d)) - loggamma(mpf(x)))
    value_case("log-beta", ("a", "b"), [(a, b) for a in (1e-6, 0.3, 2.5, 11.0, 1e4) for b in (1e-6, 0.9, 9.0, 14.0, 500.0, 1e8)],
               lambda a, b: loggamma(mpf(a)) + loggamma(mpf(b)) - loggamma(mpf(a) + mpf(b)))
    value_case("log1pmx", ("x",), [(x,) for x in (-0.999, -0.6, -0.41, -0.39, -0.15, -1e-3, -1e-9, 1e-12, 1e-4, 0.05, 0.21, 0.3, 0.59, 0.61, 2.0, 1e6)], lambda x: log1p(mpf(x)) - mpf(x))
    value_case("log1mexp", ("x",), [(x,) for x in (-1e-300, -1e-10, -0.3, -0.69, -0.7, -3.0, -40.0, -700.0)], lambda x: log(-mp.expm1(mpf(x))) if x > -1 else log1p(-exp(mpf(x))))
    value_case("stirling-remainder", ("x",), [(x,) for x in (10.0, 11.3, 40.0, 1e3, 1e8)],
               lambda x: loggamma(mpf(x)) - ((mpf(x) - mpf("0.5")) * log(mpf(x)) - mpf(x) + log(2 * pi) / 2))

    print(json.dumps({"schema": "oracle/1", "generated_with": {"python": platform.python_version(), "mpmath": mpmath.__version__},
                      "note": "36-digit arithmetic or more; arguments are exact doubles; strings are infinities", "cases": cases}, indent=None, separators=(",", ":")).replace('{"id"', '\n{"id"'))


if __name__ == "__main__":
    main()
