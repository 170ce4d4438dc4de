/** Error function and its complement, scaled and logarithmic.
 *  erf(x) = 2/√π ∫₀ˣ e^{-t²} dt,  erfc = 1 - erf,  erfcx(x) = e^{x²} erfc(x).
 *
 *  Rational interpolants at Chebyshev nodes on |x| < √0.75, [√0.75, 2.25], [2.25, 6] and, in 1/x², [6, ∞);
 *  their truncation errors are below 5e-17. e^{-x²} takes the rounding error of x² along, so the far tail keeps its digits.
 *  Reference: own fits, oracle/python/rational-fits.py; reflection erfc(-x) = 2 - erfc(x) (DLMF 7.4).
 *  Oracle:    mpmath, oracle/python/distributions.json — 2e-15 relative. */

const INV_SQRT_PI = 0.5641895835477563;
/** erf is fitted below this x² and erfcx above; erfc is 0.23 there, so 1 - erf is still exact to two bits. */
const ERF_LIMIT = 0.75;
/** erfcx(x) = 2 e^{x²} - erfcx(-x): above this |x| the second term is below rounding. */
const NEGATIVE_ERFCX_LIMIT = -6;

/** erf(x) / x as a function of z = x² in [0, 0.75]. */
function erfRatio(z: number): number {
  const p =
    1.1283791670955126 +
    z *
      (0.14098871725591636 +
        z *
          (0.04515915988050933 +
            z * (0.001785356770106075 + z * (0.00019357431226050544 + z * -6.620296390704625e-8))));
  const q =
    1 +
    z *
      (0.4582813307505723 +
        z *
          (0.09278170700045671 + z * (0.010490857642507843 + z * (0.0006721632412313075 + z * 1.9901171634021514e-5))));
  return p / q;
}

/** erfcx on [√0.75, 2.25]. */
function erfcxNear(x: number): number {
  const p =
    1.0000000006102814 +
    x *
      (1.5223109159731716 +
        x *
          (1.1531605794277509 +
            x *
              (0.5247470925606106 + x * (0.1494840204506459 + x * (0.02525022793000926 + x * 0.0020015115113787727)))));
  const q =
    1 +
    x *
      (2.650690091337028 +
        x *
          (3.1441440036202133 +
            x *
              (2.1740965894967585 +
                x *
                  (0.952533661667676 +
                    x * (0.2667213363887047 + x * (0.04475521340925525 + x * 0.0035475768483913934))))));
  return p / q;
}

/** erfcx on [2.25, 6]. */
function erfcxMiddle(x: number): number {
  const p =
    1.000017585740572 +
    x *
      (1.8322573731554344 +
        x *
          (1.632046288149129 +
            x *
              (0.8838796503481718 + x * (0.3078381857914992 + x * (0.06622280114536526 + x * 0.007603264534332459)))));
  const q =
    1 +
    x *
      (2.96075705916764 +
        x *
          (3.9724934492727066 +
            x *
              (3.1587763392201547 +
                x *
                  (1.6253262499364767 +
                    x * (0.5523670980430061 + x * (0.11737686198270895 + x * 0.013476435457839423))))));
  return p / q;
}

/** erfcx on [6, ∞): (1 / (x √π)) R(1 / x²). */
function erfcxFar(x: number): number {
  const z = 1 / x / x;
  const p = 1 + z * (15.737593899124928 + z * (69.40746615894459 + z * (86.96736062561753 + z * 14.898399543230651)));
  const q = 1 + z * (16.237593899124814 + z * (76.77626310861939 + z * (115.05229671231903 + z * 38.72534768125405)));
  return ((INV_SQRT_PI / x) * p) / q;
}

/** exp(-scale x²) with the rounding error of x² put back (Dekker's exact product); scale is 1 or 1/2. */
export function expNegativeSquare(x: number, scale: number): number {
  const high = x * x;
  // beyond this exp underflows anyway, and the splitting below could overflow
  if (!(high < 1e6)) return Math.exp(-scale * high);
  const c = 134217729 * x;
  const xh = c - (c - x);
  const xl = x - xh;
  const low = xh * xh - high + 2 * xh * xl + xl * xl;
  return Math.exp(-scale * high) * (1 - scale * low);
}

export function erf(x: number): number {
  const z = x * x;
  if (z <= ERF_LIMIT) return x * erfRatio(z);
  return x > 0 ? 1 - erfc(x) : erfc(-x) - 1;
}

export function erfc(x: number): number {
  const z = x * x;
  if (z <= ERF_LIMIT) return 1 - x * erfRatio(z);
  if (x < 0) return 2 - erfc(-x);
  return expNegativeSquare(x, 1) * erfcx(x);
}

export function erfcx(x: number): number {
  if (x >= 6) return erfcxFar(x);
  if (x >= 2.25) return erfcxMiddle(x);
  const z = x * x;
  if (z <= ERF_LIMIT) return Math.exp(z) * (1 - x * erfRatio(z));
  if (x > 0) return erfcxNear(x);
  if (x > NEGATIVE_ERFCX_LIMIT) return 2 / expNegativeSquare(x, 1) - erfcx(-x);
  return 2 / expNegativeSquare(x, 1);
}
