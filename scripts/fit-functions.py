#!/usr/bin/env python3
"""Finds the coefficients of SPEC §3 (exp and erf): `python3 scripts/fit-functions.py`. Needs mpmath.

Each polynomial is a weighted minimax fit (Remez exchange on a Chebyshev grid, 40 digits). Its coefficients are
rounded to binary32 one after another, lowest first; after each, the rest is fitted anew, so that later ones make
up for the rounding of earlier ones. Prints bits and decimals, with the error of the fit in units of 2^-24.
"""

import struct

import mpmath as mp

mp.mp.dps = 40
GRID = 1000


def binary32(x):
    """x rounded to the nearest binary32, as an exact mpf."""
    return mp.mpf(struct.unpack("<f", struct.pack("<f", float(x)))[0])


def bits(x):
    return struct.unpack("<I", struct.pack("<f", float(x)))[0]


def chebyshev(low, high):
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (GRID - 1)) for i in range(GRID)]


def remez(xs, target, weight, powers):
    """Coefficients of x^k, k in powers, that minimise max |weight·(target − polynomial)| over xs."""
    count = len(powers)
    terms = [[x**k for k in powers] for x in xs]
    peaks = [round(i * (len(xs) - 1) / count) for i in range(count + 1)]
    for _ in range(40):
        matrix, right = mp.matrix(count + 1, count + 1), mp.matrix(count + 1, 1)
        for row, i in enumerate(peaks):
            for column in range(count):
                matrix[row, column] = terms[i][column]
            matrix[row, count] = (-1) ** row / weight[i]
            right[row] = target[i]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[j] for j in range(count)]
        errors = [w * (t - mp.fdot(coefficients, term)) for w, t, term in zip(weight, target, terms)]
        runs = [[0]]
        for i in range(1, len(xs)):
            if (errors[i] > 0) == (errors[i - 1] > 0):
                runs[-1].append(i)
            else:
                runs.append([i])
        found = [max(run, key=lambda i: abs(errors[i])) for run in runs]
        while len(found) > count + 1:
            found = found[1:] if abs(errors[found[0]]) < abs(errors[found[-1]]) else found[:-1]
        if found == peaks or len(found) < count + 1:
            break
        peaks = found
    return coefficients


def fit(name, f, weight_of, low, high, count):
    xs = chebyshev(mp.mpf(low), mp.mpf(high))
    weight = [weight_of(x) for x in xs]
    left = [f(x) for x in xs]
    print(f"{name}: {count} coefficients on [{low}, {high}]")
    for k in range(count):
        c = binary32(remez(xs, left, weight, range(k, count))[0])
        left = [t - c * x**k for t, x in zip(left, xs)]
        print(f"  c{k} = 0x{bits(c):08x} // {mp.nstr(c, 10)}")
    print(f"  error {mp.nstr(max(abs(w * t) for w, t in zip(weight, left)) * 2**24, 3)} · 2^-24")


def constant(name, x):
    print(f"{name} = 0x{bits(x):08x} // {mp.nstr(binary32(x), 12)}")


# exp: x = n·ln2 + r. The upper part of ln2 has 15 bits, so that its product with |n| ≤ 152 is exact.
ln2_high = mp.nint(mp.ln(2) * 2**15) / 2**15
constant("log2 e", 1 / mp.ln(2))
constant("ln 2, upper part", ln2_high)
constant("ln 2, lower part", mp.ln(2) - ln2_high)

# e^r = 1 + (r + r²·q(r)), relative error; ln2/2 = 0.34657 and a little more for the rounding of x·log2e.
fit(
    "exp, q(r)",
    lambda r: (mp.expm1(r) - r) / r**2,
    lambda r: r**2 / mp.exp(r),
    "-0.3467",
    "0.3467",
    5,
)

# erf(x) = x + x·s(x²) below the split, relative error.
SPLIT = "0.9375"
fit(
    "erf, s(t)",
    lambda t: mp.erf(mp.sqrt(t)) / mp.sqrt(t) - 1 if t > 0 else 2 / mp.sqrt(mp.pi) - 1,
    lambda t: mp.sqrt(t) / mp.erf(mp.sqrt(t)) if t > 0 else mp.sqrt(mp.pi) / 2,
    "0",
    str(mp.mpf(SPLIT) ** 2),
    6,
)

# erf(x) = 1 − e^g(x) above it, absolute error of the result, which lies in [0.81, 1].
fit("erf, g(x)", lambda x: mp.log(mp.erfc(x)), mp.erfc, SPLIT, "3.9375", 6)
