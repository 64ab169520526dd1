// Nobody writes so many characters. A million digits take a fifth of a second, and a wrong character after them takes hours.
const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d+)(?:(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E)|[eE]([+-]?\d+))?$/;

/** Nobody writes so many characters; a million digits take a fifth of a second, and a wrong one behind them takes hours. */
const LONGEST = 64;

/**
 * An exact fraction `numerator / denominator`, so that quantities can be compared without rounding.
 */
export interface Quantity {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Reads a Kubernetes quantity (`500m`, `1.5`, `2Gi`, `1e3`); `undefined` if the API server would refuse the text, or if it
 * has more than 64 characters.
 */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > LONGEST) return undefined;
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, sign = "", number = "", suffix = "", exponent] = match;
  const [whole = "", fraction = ""] = number.split(".");
  let numerator = BigInt(`${whole}${fraction}` || "0") * (sign === "-" ? -1n : 1n);
  let denominator = 10n ** BigInt(fraction.length);
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) {
    numerator <<= BigInt(10 * (binary + 1));
  } else {
    const power = exponent === undefined ? (DECIMAL[suffix] ?? 0) : Number(exponent);
    // The server limits or refuses larger powers; the number itself would only take memory.
    if (Math.abs(power) > 64) return undefined;
    if (power >= 0) numerator *= 10n ** BigInt(power);
    else denominator *= 10n ** BigInt(-power);
  }
  return { numerator, denominator };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum of two quantities. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.denominator === b.denominator) return { ...a, numerator: a.numerator + b.numerator };
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

const MEBI = 1n << 20n;

/**
 * A quantity of a resource as text: `1500m`, `2`, `1408Mi`. Values finer than a thousandth are rounded up, as the Kubernetes
 * scheduler does. Not for negative quantities.
 */
export function formatQuantity({ numerator, denominator }: Quantity): string {
  const thousandths = (numerator * 1000n + denominator - 1n) / denominator;
  if (thousandths % 1000n !== 0n) return `${thousandths}m`;
  const whole = thousandths / 1000n;
  return whole !== 0n && whole % MEBI === 0n ? `${whole / MEBI}Mi` : String(whole);
}
