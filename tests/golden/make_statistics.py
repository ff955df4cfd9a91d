#!/usr/bin/env python3
"""Writes statistics.json: reference values for core/results/statistics from SciPy (Debian: python3-scipy).

Run:  python3 tests/golden/make_statistics.py > tests/golden/statistics.json
"""
import json
import math

import numpy as np
from scipy import stats


def t_quantile(p, df):
    """SciPy 1.10's t.ppf is exact to 1e-9 only; its cdf is exact, so one or two Newton steps on it are."""
    t = stats.t.ppf(p, df)
    if p != 0.5:
        for _ in range(3):
            t -= (stats.t.cdf(t, df) - p) / stats.t.pdf(t, df)
    return float(t)


out = {"scipy": __import__("scipy").__version__, "t_quantile": [], "normal_quantile": [], "t_interval": [], "bca": []}
for df in [1, 2, 3, 5, 8, 11, 29, 200, 4.5]:
    for p in [0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999]:
        out["t_quantile"].append({"p": p, "df": df, "value": t_quantile(p, df)})
for p in [1e-8, 1e-3, 0.025, 0.3, 0.5, 0.9, 0.975, 1 - 1e-6]:
    out["normal_quantile"].append({"p": p, "value": float(stats.norm.ppf(p))})

rng = np.random.default_rng(20211)
samples = {
    "normal_12": rng.normal(0.02, 0.03, 12),
    "normal_30": rng.normal(-0.01, 0.05, 30),
    "skewed_15": rng.exponential(0.04, 15) - 0.02,
    "skewed_40": rng.lognormal(0.0, 0.8, 40) - 1.0,
    "one_outlier_13": np.concatenate([rng.normal(0.0, 0.01, 12), [0.2]]),
}
for name, data in samples.items():
    n = len(data)
    half = t_quantile(0.975, n - 1) * data.std(ddof=1) / math.sqrt(n)
    out["t_interval"].append({"data": data.tolist(), "low": float(data.mean() - half), "high": float(data.mean() + half)})
    interval = stats.bootstrap((data,), np.mean, n_resamples=400_000, batch=20_000, method="BCa",
                               random_state=np.random.default_rng(7)).confidence_interval
    out["bca"].append({"name": name, "data": data.tolist(), "low": float(interval.low), "high": float(interval.high)})
print(json.dumps(out, indent=1))
