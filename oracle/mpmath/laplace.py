"""Laplace approximation of a cumulative logit mixed model at 45 digits: maximum and standard errors of all parameters.

The ratings are those of oracle/r/ordinal.json. Derivatives are central differences of the log-likelihood with steps of 1e-9, whose
error is about 1e-18; Newton's method from rough values. Run: python3 oracle/mpmath/laplace.py (writes laplace.json; a minute)."""
import json
import os
import mpmath as mp

mp.mp.dps = 45
HERE = os.path.dirname(os.path.abspath(__file__))
STEP = mp.mpf(10) ** -9
columns = json.load(open(os.path.join(HERE, "../r/ordinal.json")))["columns"]
rating = [int(v) for v in columns["rating"]["values"]]
rater = columns["rater"]["values"]
x = [mp.mpf(str(v)) for v in columns["x"]["values"]]
raters = sorted(set(rater))


def cluster(rows, T, tau, beta, shift, u):
    """Mode of the two random effects of one rater; its share of the log-likelihood."""
    for _ in range(60):
        g, H, ll = [-u[0], -u[1]], [mp.mpf(1), mp.mpf(0), mp.mpf(1)], mp.mpf(0)
        for i in rows:
            z = (T[0] + T[1] * x[i], T[2] * x[i])
            eta = beta * (x[i] + shift) + z[0] * u[0] + z[1] * u[1]
            F = lambda j: mp.mpf(0) if j == 0 else mp.mpf(1) if j == 5 else 1 / (1 + mp.exp(eta - tau[j - 1]))
            a, b = F(rating[i]), F(rating[i] - 1)
            fa, fb = a * (1 - a), b * (1 - b)
            E = (fa - fb) / (a - b)
            W = E * E - (fa * (1 - 2 * a) - fb * (1 - 2 * b)) / (a - b)
            ll += mp.log(a - b)
            g = [g[0] - E * z[0], g[1] - E * z[1]]
            H = [H[0] + W * z[0] ** 2, H[1] + W * z[0] * z[1], H[2] + W * z[1] ** 2]
        det = H[0] * H[2] - H[1] ** 2
        step = ((H[2] * g[0] - H[1] * g[1]) / det, (H[0] * g[1] - H[1] * g[0]) / det)
        if abs(step[0]) + abs(step[1]) < mp.mpf(10) ** -40:
            break
        u = [u[0] + step[0], u[1] + step[1]]
    return ll - (u[0] ** 2 + u[1] ** 2) / 2 - mp.log(det) / 2, u


def log_lik(case, psi):
    q = case["thetas"]
    T = list(psi[:q]) + [mp.mpf(0)] * (3 - q)
    total = mp.mpf(0)
    for r in raters:
        rows = [i for i in range(len(rating)) if rater[i] == r]
        value, case["modes"][r] = cluster(rows, T, psi[q : q + 4], psi[q + 4], case["shift"], case["modes"][r])
        total += value
    return total


def derivatives(case, psi):
    p, h = len(psi), STEP

    def at(moves):
        y = list(psi)
        for k, s in moves:
            y[k] += s * h
        return log_lik(case, y)

    center = at([])
    up, down = [at([(k, 1)]) for k in range(p)], [at([(k, -1)]) for k in range(p)]
    g = mp.matrix([(up[k] - down[k]) / (2 * h) for k in range(p)])
    H = mp.matrix(p, p)
    for k in range(p):
        H[k, k] = (up[k] - 2 * center + down[k]) / h**2
        for j in range(k):
            H[j, k] = H[k, j] = sum(s * t * at([(j, s), (k, t)]) for s in (1, -1) for t in (1, -1)) / (4 * h * h)
    return center, g, H


def solve(case):
    case["modes"] = {r: [mp.mpf(0), mp.mpf(0)] for r in raters}
    psi = [mp.mpf(str(v)) for v in case["start"]]
    for _ in range(12):
        value, g, H = derivatives(case, psi)
        step = mp.lu_solve(-H, g)
        psi = [psi[k] + step[k] for k in range(len(psi))]
        if max(abs(s) for s in step) < mp.mpf(10) ** -15:
            break
    value, g, H = derivatives(case, psi)
    V = mp.inverse(-H)
    text = lambda v: mp.nstr(v, 18)
    print(case["formula"], text(value), mp.nstr(max(abs(v) for v in g), 3))
    return {
        "formula": case["formula"],
        "logLik": text(value),
        "psi": [text(v) for v in psi],
        "se": [text(mp.sqrt(V[k, k])) for k in range(len(psi))],
    }


cases = [
    {"formula": "rating ~ x + (x | rater)", "thetas": 3, "shift": 0, "start": [1.0, 0.28, 0.33, -1.84, -0.54, 0.41, 1.83, 0.61]},
    # hardly any curvature is left along the thresholds and the slope together
    {"formula": "rating ~ I(x + 50) + (1 | rater)", "thetas": 1, "shift": 50, "start": [1.02, 27.95, 29.25, 30.19, 31.56, 0.595]},
]
answer = {"tool": "mpmath " + mp.__version__, "cases": [solve(case) for case in cases]}
json.dump(answer, open(os.path.join(HERE, "laplace.json"), "w"), indent=1)
