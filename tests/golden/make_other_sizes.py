#!/usr/bin/env python3
"""Expected tables at sizes that the other golden files do not have, from the formulas of the papers alone.

Plain Python in double, no code shared with Sextant; T5 buckets in whole numbers.
  make_other_sizes.py > other_sizes.json     the cases that the tests read
  make_other_sizes.py --wide > wide.json     many more, for a check by hand
"""
import json
import math
import sys

CASES = []


def case(name, options, expected, rtol=1e-11, atol=1e-12, attention_factor=0.0):
    CASES.append({"name": name, "options": options, "expected": expected, "rtol": rtol, "atol": atol,
                  "attention_factor": attention_factor})


def vector(n):
    return [round(math.sin(1.3 * k + 0.4) * 1.7, 3) for k in range(n)]


# --- ALiBi ---------------------------------------------------------------------------------------------------------

def slopes(n, bias_max=8.0, naive=False):
    if naive or n & (n - 1) == 0:
        return [2.0 ** (-bias_max * k / n) for k in range(1, n + 1)]
    p = 1
    while 2 * p < n:
        p *= 2
    finer = [2.0 ** (-bias_max * k / (2 * p)) for k in range(1, 2 * p + 1)]
    return slopes(p, bias_max) + finer[0::2][:n - p]


def bias_matrix(heads, keys, queries, f, symmetric=False, window=0):
    """f(head, i, j) with i the query's position; masked entries are null."""
    out = []
    for h in range(heads):
        rows = []
        for i in range(keys - queries, keys):
            row = []
            for j in range(keys):
                hidden = (j > i and not symmetric) or (window > 0 and abs(i - j) >= window)
                row.append(None if hidden else f(h, i, j))
            rows.append(row)
        out.append(rows)
    return out


def alibi(head_counts, wide):
    for n in head_counts:
        for naive in (False, True):
            for bias_max in ((8.0, 5.0, 16.0) if wide else (8.0,)):
                param = {"slopes": "naive" if naive else "interleave", "bias_max": bias_max}
                case(f"slopes {n} {param}", {"encoding": "alibi", "what": "slopes", "heads": n, "param": param},
                     slopes(n, bias_max, naive))
    for heads, keys, queries, symmetric, window, scale in [
            (3, 33, 2, False, 0, 1.0), (5, 20, 20, False, 7, 1.0), (6, 17, 4, True, 0, 2.5), (7, 29, 3, True, 5, 1.0),
            (24, 21, 1, False, 0, 8.0), (127, 5, 1, False, 0, 1.0), (128, 5, 1, True, 4, 3.0)]:
        m = slopes(heads)
        options = {"encoding": "alibi", "what": "bias", "heads": heads, "length": keys, "queries": queries,
                   "window": window, "param": {"distance_scale": scale}}
        if symmetric:
            options["symmetric"] = True
        case(f"alibi bias {heads} {keys} {queries} {symmetric} {window} {scale}", options,
             bias_matrix(heads, keys, queries, lambda h, i, j: -m[h] * (abs(i - j) / scale), symmetric, window))


# --- RoPE ----------------------------------------------------------------------------------------------------------

def frequencies(d, base):
    return [base ** (-2.0 * i / d) for i in range(d // 2)]


def scaled(d, base, method, s, original, length=0, low=1.0, high=4.0, fast=32.0, slow=1.0):
    theta = frequencies(d, base)
    if method == "linear":
        return [t / s for t in theta]
    if method == "ntk":
        return frequencies(d, base * s ** (d / (d - 2)))
    if method == "dynamic-ntk":
        longest = max(length, original)
        return frequencies(d, base * (s * longest / original - (s - 1)) ** (d / (d - 2)))
    if method == "yarn":
        def dim(r):
            return d * math.log(original / (r * 2 * math.pi)) / (2 * math.log(base))
        first = max(math.floor(dim(fast)), 0)
        last = min(math.ceil(dim(slow)), d - 1)
        if first == last:
            last += 0.001
        out = []
        for i, t in enumerate(theta):
            ramp = min(1.0, max(0.0, (i - first) / (last - first)))
            out.append(t / s * ramp + t * (1 - ramp))
        return out
    if method == "yarn-paper":
        out = []
        for t in theta:
            r = original / (2 * math.pi / t)
            gamma = 0.0 if r < slow else 1.0 if r > fast else (r - slow) / (fast - slow)
            out.append((1 - gamma) * t / s + gamma * t)
        return out
    if method == "llama3":
        out = []
        for t in theta:
            wavelength = 2 * math.pi / t
            if wavelength > original / low:
                out.append(t / s)
            elif wavelength < original / high:
                out.append(t)
            else:
                smooth = (original / wavelength - low) / (high - low)
                out.append((1 - smooth) * t / s + smooth * t)
        return out
    return theta


def attention_factor(method, s):
    return 0.1 * math.log(s) + 1.0 if method.startswith("yarn") and s > 1 else 1.0


METHODS = ("none", "linear", "ntk", "dynamic-ntk", "yarn", "yarn-paper", "llama3")


def rotate(x, theta, dim, position, layout, size=None):
    out = list(x)
    for i, t in enumerate(theta):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + dim // 2)
        c, s = math.cos(position * t), math.sin(position * t)
        m = 1.0 if size is None else size[i]
        out[a] = (x[a] * c - x[b] * s) * m
        out[b] = (x[a] * s + x[b] * c) * m
    return out


def rope(wide):
    heads = (32, 40, 80, 96, 128, 192, 256) if wide else (32, 96, 256)
    for d in heads:
        for base in ((10000.0, 500000.0, 1e6, 10.0, 77.7) if wide else (77.7,)):
            for s in ((1.0, 1.5, 3.0, 16.0, 40.0) if wide else (3.0,)):
                for original in ((100, 1024, 4096, 32768) if wide else (1024,)):
                    for method in METHODS:
                        param = {"base": base, "scaling": method, "factor": s, "original_length": original}
                        length = 3 * original + 7
                        if method == "dynamic-ntk":
                            param["sequence_length"] = length
                        case(f"rope frequencies {d} {param}",
                             {"encoding": "rope", "what": "inverse-frequencies", "head-dim": d, "param": param},
                             scaled(d, base, method, s, original, length), atol=0.0,
                             attention_factor=attention_factor(method, s))
    for d, low, high in ((80, 1.5, 6.0), (128, 0.5, 3.0)):
        param = {"base": 500000.0, "scaling": "llama3", "factor": 5.0, "original_length": 3000,
                 "low_freq_factor": low, "high_freq_factor": high}
        case(f"llama3 bands {d}", {"encoding": "rope", "what": "inverse-frequencies", "head-dim": d, "param": param},
             scaled(d, 500000.0, "llama3", 5.0, 3000, low=low, high=high), atol=0.0)
    for d, fast, slow in ((48, 16.0, 2.0), (128, 64.0, 0.5)):
        for method in ("yarn", "yarn-paper"):
            param = {"scaling": method, "factor": 12.0, "original_length": 4096, "beta_fast": fast, "beta_slow": slow}
            case(f"{method} betas {d}", {"encoding": "rope", "what": "inverse-frequencies", "head-dim": d,
                                         "param": param},
                 scaled(d, 10000.0, method, 12.0, 4096, fast=fast, slow=slow), atol=0.0)
    positions = [0, 1, 31, 255, 4095, 32767] if wide else [4095]
    for d, fraction in ((32, 1.0), (40, 0.25), (80, 0.4), (96, 1.0), (128, 0.5), (256, 0.25)):
        dim = int(math.floor(d * fraction + 1e-9))
        if dim % 2:
            continue
        for method in METHODS if wide else ("none", "yarn"):
            s, original, length = 6.0, 512, 40000
            theta = scaled(dim, 20000.0, method, s, original, length)
            factor = attention_factor(method, s)
            param = {"base": 20000.0, "rotary_fraction": fraction, "scaling": method, "factor": s,
                     "original_length": original, "sequence_length": length}
            options = {"encoding": "rope", "head-dim": d, "positions": positions, "param": param}
            for what, f in (("angles", lambda a: a), ("cos", lambda a: math.cos(a) * factor),
                            ("sin", lambda a: math.sin(a) * factor)):
                if what != "cos" and d > 96 and not wide:
                    continue
                case(f"rope {what} {d} {fraction} {method}", {**options, "what": what},
                     [[f(p * t) for t in theta] for p in positions], atol=1e-9)
            for layout in ("half-split", "interleaved"):
                x = vector(d)
                case(f"rope rotate {layout} {d} {fraction} {method}",
                     {**options, "what": "rotate", "vector": x, "param": {**param, "layout": layout}},
                     [rotate(x, theta, dim, p, layout, [factor] * len(theta)) for p in positions], atol=1e-9)
    for d, base in ((32, 10000.0), (96, 500.0), (256, 1e6)):
        theta = frequencies(d, base)
        length = 400 if wide else 60
        expected = []
        for m in range(length):
            total, real, imaginary = 0.0, 0.0, 0.0
            for t in theta:
                real += math.cos(m * t)
                imaginary += math.sin(m * t)
                total += math.hypot(real, imaginary)
            expected.append(total / (d / 2))
        case(f"rope decay {d} {base}", {"encoding": "rope", "what": "decay", "head-dim": d, "length": length,
                                        "param": {"base": base}}, expected, atol=1e-9)


def xpos(wide):
    positions = [0, 3, 700, 2047] if wide else [3, 2047]
    for d, base, gamma, scale_base in ((32, 10000.0, 0.4, 512.0), (48, 300.0, 0.7, 256.0), (128, 1e6, 0.1, 1000.0),
                                       (256, 10000.0, 0.4, 512.0))[:4 if wide else 2]:
        theta = frequencies(d, base)
        zeta = [(2 * i + gamma * d) / ((1 + gamma) * d) for i in range(d // 2)]
        x = vector(d)
        options = {"encoding": "xpos", "head-dim": d, "positions": positions,
                   "param": {"base": base, "gamma": gamma, "scale_base": scale_base}}
        case(f"xpos frequencies {d}", {**options, "what": "inverse-frequencies"}, theta, atol=0.0)
        for what, f in (("angles", lambda a: a), ("cos", math.cos), ("sin", math.sin)):
            case(f"xpos {what} {d}", {**options, "what": what}, [[f(p * t) for t in theta] for p in positions],
                 atol=1e-9)
        for side, sign in (("query", 1.0), ("key", -1.0)):
            expected = [rotate(x, theta, d, p, "interleaved", [z ** (sign * p / scale_base) for z in zeta])
                        for p in positions]
            case(f"xpos {side} {d}", {**options, "what": "rotate", "side": side, "vector": x}, expected, rtol=1e-9,
                 atol=1e-9)


# --- Sinusoidal ----------------------------------------------------------------------------------------------------

def sinusoidal(wide):
    positions = [0, 1, 63, 5000] if wide else [1, 5000]
    widths = (4, 10, 12, 66, 100, 768, 1024, 11, 33) if wide else (10, 66, 11)
    for d in widths:
        for base in (10000.0, 500.0):
            half = d // 2
            for variant in ("interleaved", "fairseq", "half-split"):
                if d % 2 and variant == "half-split":
                    continue
                rows = []
                for p in positions:
                    row = [0.0] * d
                    for i in range((d + 1) // 2):
                        exponent = i / (half - 1) if variant == "fairseq" else 2 * i / d
                        if variant == "fairseq" and i >= half:
                            continue  # the zero column of an odd width
                        angle = p * base ** -exponent
                        first, second = (2 * i, 2 * i + 1) if variant == "interleaved" else (i, half + i)
                        row[first] = math.sin(angle)
                        if second < d:
                            row[second] = math.cos(angle)
                    rows.append(row)
                case(f"sinusoidal {variant} {d} {base}",
                     {"encoding": "sinusoidal", "what": "additive", "d-model": d, "positions": positions,
                      "param": {"variant": variant, "base": base}}, rows, atol=1e-9)


# --- Biases by distance --------------------------------------------------------------------------------------------

def bucket(distance, buckets, longest):
    exact = buckets // 2
    if distance < exact:
        return distance
    steps, k = buckets - exact, 0
    # the largest k with (distance / exact)^steps >= (longest / exact)^k, in whole numbers
    left = distance ** steps
    while exact + k + 1 <= buckets - 1 and left * exact ** (k + 1) >= longest ** (k + 1) * exact ** steps:
        k += 1
    return exact + k


def t5(wide):
    for buckets, longest in ((8, 20), (12, 100), (20, 333), (48, 512), (128, 2048))[:5 if wide else 4]:
        length = 2 * longest if wide else 150
        case(f"t5 buckets {buckets} {longest}",
             {"encoding": "t5", "what": "buckets", "length": length,
              "param": {"num_buckets": buckets, "max_distance": longest}},
             [bucket(m, buckets, longest) for m in range(length)], atol=0.0)
        relative = list(range(-length // 2, length // 2, 3))
        half = buckets // 2
        case(f"t5 bidirectional {buckets} {longest}",
             {"encoding": "t5", "what": "buckets", "positions": relative,
              "param": {"num_buckets": buckets, "max_distance": longest, "bidirectional": True}},
             [(half if r > 0 else 0) + bucket(abs(r), half, longest) for r in relative], atol=0.0)
    heads, buckets, longest, keys, queries = 5, 10, 40, 24, 3
    table = [[round(math.cos(3.1 * b + h), 3) for h in range(heads)] for b in range(buckets)]
    options = {"encoding": "t5", "what": "bias", "length": keys, "queries": queries, "values": table,
               "param": {"num_buckets": buckets, "max_distance": longest}}
    case("t5 bias, last queries", options,
         bias_matrix(heads, keys, queries, lambda h, i, j: table[bucket(i - j, buckets, longest)][h]))
    half = buckets // 2
    # with both directions the table's upper half is for keys after the query; here half is odd: 5 and 2 exact
    case("t5 bias symmetric, window",
         {**options, "queries": keys, "window": 6, "symmetric": True,
          "param": {**options["param"], "bidirectional": True}},
         bias_matrix(heads, keys, keys,
                     lambda h, i, j: table[(half if j > i else 0) + bucket(abs(i - j), half, longest)][h], True, 6))


def kerple(wide):
    for r1, r2 in ((0.3, 0.02), (1.7, 0.9)):
        keys, queries, heads = 40, 2, 3
        case(f"kerple-log {r1} {r2}",
             {"encoding": "kerple-log", "what": "bias", "heads": heads, "length": keys, "queries": queries,
              "param": {"r1": r1, "r2": r2}},
             bias_matrix(heads, keys, queries, lambda h, i, j: -r1 * math.log(1 + r2 * (i - j))))
        case(f"kerple-power {r1} {r2}",
             {"encoding": "kerple-power", "what": "bias", "heads": heads, "length": keys, "queries": queries,
              "param": {"r1": r1, "r2": r2}, "window": 30},
             bias_matrix(heads, keys, queries, lambda h, i, j: -r1 * float(i - j) ** r2, window=30))


def sandwich(wide):
    for heads, d_bar, keys in ((3, 32, 50), (12, 96, 20), (128, 256, 6))[:3 if wide else 2]:
        def f(h, i, j):
            total = sum(math.cos((i - j) / 10000 ** (2 * k / d_bar)) for k in range(1, d_bar // 2 + 1))
            return (total - d_bar / 2) / ((h + 1) * 8 / heads)
        case(f"sandwich {heads} {d_bar}", {"encoding": "sandwich", "what": "bias", "heads": heads, "length": keys,
                                           "queries": 2, "param": {"d_bar": d_bar}},
             bias_matrix(heads, keys, 2, f), atol=1e-11)


def fire(wide):
    for heads, width, c, threshold, keys, queries in ((3, 4, 0.25, 10.0, 24, 24), (5, 32, 1.5, 700.0, 18, 2)):
        w1 = [round(math.sin(2.1 * k), 3) for k in range(width)]
        b1 = [round(math.cos(1.1 * k) * 0.3, 3) for k in range(width)]
        w2 = [[round(math.sin(k + 2.7 * h), 3) for k in range(width)] for h in range(heads)]
        b2 = [round(0.1 * h - 0.2, 3) for h in range(heads)]

        def f(h, i, j):
            x = math.log(c * (i - j) + 1) / (math.log(c * max(i, threshold) + 1) + 1e-6)
            return b2[h] + sum(w2[h][k] * max(0.0, w1[k] * x + b1[k]) for k in range(width))
        case(f"fire {heads} {width}",
             {"encoding": "fire", "what": "bias", "length": keys, "queries": queries,
              "param": {"c": c, "length_threshold": threshold}, "values": {"w1": w1, "b1": b1, "w2": w2, "b2": b2}},
             bias_matrix(heads, keys, queries, f))


def main():
    wide = "--wide" in sys.argv
    alibi(range(1, 129) if wide else (3, 5, 9, 20, 48, 96, 127), wide)
    for family in (rope, xpos, sinusoidal, t5, kerple, sandwich, fire):
        family(wide)
    print('{"cases": [')
    print(",\n".join(json.dumps(one, separators=(",", ":")) for one in CASES))
    print("]}")


main()
