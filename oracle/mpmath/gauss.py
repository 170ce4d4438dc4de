"""Gauss-Hermite and Gauss-Legendre rules at 60 digits (nonnegative nodes), and Gauss-Kronrod 10-21."""
import json
import mpmath as mp
import numpy as np

mp.mp.dps = 60


def refine(b, mu0, n, x):
    """Root of the orthonormal polynomial near x, and its weight mu0 / sum q_k(x)^2."""
    x = mp.mpf(float(x))
    for _ in range(6):
        q0, q1, d0, d1, total = mp.mpf(0), mp.mpf(1), mp.mpf(0), mp.mpf(0), mp.mpf(0)
        for k in range(n):
            total += q1 * q1
            q2 = (x * q1 - mp.sqrt(b(k)) * q0) / mp.sqrt(b(k + 1))
            d2 = (q1 + x * d1 - mp.sqrt(b(k)) * d0) / mp.sqrt(b(k + 1))
            q0, q1, d0, d1 = q1, q2, d1, d2
        x = x - q1 / d1
    return x, mu0 / total


def rule(family, n):
    if family == "hermite":
        b, mu0, start = (lambda k: mp.mpf(k) / 2), mp.sqrt(mp.pi), np.polynomial.hermite.hermgauss(n)[0]
    else:
        b, mu0, start = (lambda k: mp.mpf(k * k) / (4 * k * k - 1)), mp.mpf(2), np.polynomial.legendre.leggauss(n)[0]
    pairs = [refine(b, mu0, n, x) for x in start if x > -1e-12]
    text = lambda v: mp.nstr(v, 20)
    zero = lambda v: v if abs(v) > mp.mpf(10) ** -40 else mp.mpf(0)
    return {"family": family, "n": n, "nodes": [text(zero(x)) for x, _ in pairs], "weights": [text(w) for _, w in pairs]}


def kronrod(n):
    """Stieltjes polynomial E of degree n + 1, orthogonal to all lower degrees with weight P_n; weights by moments."""
    P = mp.taylor(lambda x: mp.legendre(n, x), 0, n)
    moment = lambda coef: sum(c * (2 / mp.mpf(k + 1) if k % 2 == 0 else 0) for k, c in enumerate(coef))
    conv = lambda a, c: [sum(a[i] * c[k - i] for i in range(len(a)) if 0 <= k - i < len(c)) for k in range(len(a) + len(c) - 1)]
    powers = [k for k in range(n + 1) if (k - n - 1) % 2 == 0]
    tests = [j for j in range(n + 1) if (n + n + 1 + j) % 2 == 0]  # the others hold by parity
    A = mp.matrix(len(tests), len(powers))
    rhs = mp.matrix(len(tests), 1)
    for r, j in enumerate(tests):
        for c, k in enumerate(powers):
            A[r, c] = moment(conv(P, [0] * (k + j) + [mp.mpf(1)]))
        rhs[r] = -moment(conv(P, [0] * (n + 1 + j) + [mp.mpf(1)]))
    sol = mp.lu_solve(A, rhs)
    E = [mp.mpf(0)] * (n + 2)
    E[n + 1] = mp.mpf(1)
    for c, k in enumerate(powers):
        E[k] = sol[c]
    roots = [r.real for r in mp.polyroots(E[::-1], maxsteps=500, extraprec=400)]
    gauss = [refine(lambda k: mp.mpf(k * k) / (4 * k * k - 1), mp.mpf(2), n, x) for x in np.polynomial.legendre.leggauss(n)[0]]
    nodes = sorted(roots + [x for x, _ in gauss])
    V = mp.matrix(len(nodes), len(nodes))
    m = mp.matrix(len(nodes), 1)
    for i in range(len(nodes)):
        for j, x in enumerate(nodes):
            V[i, j] = mp.legendre(i, x)
        m[i] = 2 if i == 0 else 0
    w = mp.lu_solve(V, m)
    keep = [i for i, x in enumerate(nodes) if x > -mp.mpf(10) ** -30]
    g = {mp.nstr(x, 15): v for x, v in gauss}
    return {
        "nodes": [mp.nstr(mp.chop(nodes[i], 1e-40), 20) for i in keep],
        "kronrod": [mp.nstr(w[i], 20) for i in keep],
        "gauss": [mp.nstr(g.get(mp.nstr(nodes[i], 15), mp.mpf(0)), 20) for i in keep],
    }


out = {
    "tool": "mpmath " + mp.__version__,
    "rules": [rule(f, n) for f in ("hermite", "legendre") for n in (1, 2, 5, 21, 64, 200)],
    "kronrod21": kronrod(10),
}
json.dump(out, open("oracle/mpmath/gauss.json", "w"), indent=1)
