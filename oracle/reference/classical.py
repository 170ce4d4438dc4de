"""Classical tests as scipy defines them, and what statsmodels gives by formulas: the cases of classical.json with tool "Python".
Run from the project's root, after classical.R:  python3 oracle/reference/classical.py   (writes oracle/reference/classical.json)"""
import json
import math
import numpy as np
import scipy
from scipy import stats

PATH = "oracle/reference/classical.json"


def wilcoxon_normal(i):
    out = {}
    for zero in ("wilcox", "pratt", "zsplit"):
        for name, correct in (("plain", False), ("cc", True)):
            r = stats.wilcoxon(i["x"], i["y"], zero_method=zero, correction=correct, method="approx")
            out[f"{zero}_{name}"] = {"statistic": float(r.statistic), "p": float(r.pvalue)}
    return out


def proportions_ztest(i):  # statsmodels: pooled variance, no correction
    p1, p2 = i["k1"] / i["n1"], i["k2"] / i["n2"]
    pool = (i["k1"] + i["k2"]) / (i["n1"] + i["n2"])
    z = (p1 - p2) / math.sqrt(pool * (1 - pool) * (1 / i["n1"] + 1 / i["n2"]))
    return {"two-sided": {"z": z, "p": 2 * stats.norm.sf(abs(z))}, "larger": {"z": z, "p": stats.norm.sf(z)}, "smaller": {"z": z, "p": stats.norm.cdf(z)}}


def proportion_confint(i):  # statsmodels, alpha = 0.05
    k, n, z = i["k"], i["n"], stats.norm.isf(0.025)
    p = k / n
    half = z * math.sqrt(p * (1 - p) / n)
    nc, pc = n + z * z, (k + z * z / 2) / (n + z * z)
    ac = z * math.sqrt(pc * (1 - pc) / nc)
    wilson = z / nc * math.sqrt(n * p * (1 - p) + z * z / 4)
    return {"normal": [p - half, p + half], "agresti_coull": [pc - ac, pc + ac],
            "beta": [stats.beta.ppf(0.025, k, n - k + 1), stats.beta.isf(0.025, k + 1, n - k)],
            "wilson": [pc - wilson, pc + wilson], "jeffreys": list(stats.beta.interval(0.95, k + 0.5, n - k + 0.5))}


def mcnemar(i):  # statsmodels: from the off-diagonal counts
    b, c = i["table"][0][1], i["table"][1][0]
    return {"exact": min(1, 2 * stats.binom.cdf(min(b, c), b + c, 0.5)), "chisq": stats.chi2.sf((b - c) ** 2 / (b + c), 1),
            "chisq_cc": stats.chi2.sf((abs(b - c) - 1) ** 2 / (b + c), 1)}


def cochran(i):
    x = np.array(i["x"])
    k, columns, rows = x.shape[1], x.sum(0), x.sum(1)
    q = (k - 1) * (k * (columns**2).sum() - columns.sum() ** 2) / (k * rows.sum() - (rows**2).sum())
    return {"q": q, "df": k - 1, "p": stats.chi2.sf(q, k - 1)}


def tukey_hsd(i):
    r = stats.tukey_hsd(*[np.array(g) for g in i["groups"]])
    ci = r.confidence_interval(0.95)
    return {"statistic": r.statistic.tolist(), "p": r.pvalue.tolist(), "lower95": ci.low.tolist(), "upper95": ci.high.tolist()}


def permutation(i):
    r = stats.permutation_test((i["x"], i["y"]), lambda a, b: np.mean(a) - np.mean(b), permutation_type="independent", n_resamples=np.inf)
    return {"statistic": float(r.statistic), "p": float(r.pvalue)}


def friedman(i):
    r = stats.friedmanchisquare(*np.array(i["x"]).T)
    return {"chisq": float(r.statistic), "p": float(r.pvalue)}


def pair(r):
    return [float(r.statistic), float(r.pvalue)]


KINDS = {
    "scipy.stats.wilcoxon normal approximation": wilcoxon_normal,
    "scipy.stats.wilcoxon exact": lambda i: {a: float(stats.wilcoxon(i["x"], i["y"], method="exact", alternative=a).pvalue) for a in ("two-sided", "greater", "less")},
    "scipy.stats.kendalltau": lambda i: {v: {"statistic": float(r.statistic), "p_asymptotic": float(r.pvalue)} for v in "bc" for r in [stats.kendalltau(i["x"], i["y"], method="asymptotic", variant=v)]},
    "scipy.stats.spearmanr": lambda i: dict(zip(("rho", "p"), pair(stats.spearmanr(i["x"], i["y"])))),
    "scipy.stats.mannwhitneyu": lambda i: {"u": float(stats.mannwhitneyu(i["x"], i["y"], method="asymptotic").statistic), "p_cc": float(stats.mannwhitneyu(i["x"], i["y"], method="asymptotic").pvalue), "p_plain": float(stats.mannwhitneyu(i["x"], i["y"], method="asymptotic", use_continuity=False).pvalue)},
    "scipy.stats t tests": lambda i: {"rel": pair(stats.ttest_rel(i["x"], i["y"])), "ind": pair(stats.ttest_ind(i["x"], i["y"])), "welch": pair(stats.ttest_ind(i["x"], i["y"], equal_var=False))},
    "scipy.stats.somersd": lambda i: {"d": float(stats.somersd(i["x"], i["y"]).statistic), "p": float(stats.somersd(i["x"], i["y"]).pvalue)},
    "statsmodels mcnemar": mcnemar,
    "statsmodels cochrans_q": cochran,
    "statsmodels proportions_ztest": proportions_ztest,
    "statsmodels proportion_confint": proportion_confint,
    "scipy.stats.friedmanchisquare": friedman,
    "scipy.stats.tukey_hsd": tukey_hsd,
    "scipy.stats.permutation_test exact": permutation,
    "scipy.stats.brunnermunzel": lambda i: dict(zip(("statistic", "p"), pair(stats.brunnermunzel(i["x"], i["y"])))),
    "scipy.stats.ks_2samp exact": lambda i: dict(zip(("d", "p"), pair(stats.ks_2samp(i["x"], i["y"], method="exact")))),
}

with open(PATH) as f:
    reference = json.load(f)
for case in reference["cases"]:
    if case["tool"] == "Python":
        case["expected"] = KINDS[case["test"]](case["input"])
reference["generated_with"] |= {"scipy": scipy.__version__, "numpy": np.__version__}
cases = reference.pop("cases")
plain = lambda x: json.dumps(x, separators=(",", ":"), default=float)
with open(PATH, "w") as f:
    f.write(plain(reference)[:-1] + ',"cases":[\n' + ",\n".join(map(plain, cases)) + "\n]}\n")
