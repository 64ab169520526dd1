import { parseQuantity } from "@kindling/core-spec";

/** How a quantity was written; the server writes it in the same way: `1Gi`, `1G` or `1e9`. */
export type QuantityFormat = "binary" | "decimal" | "exponent";

/** An amount as a whole number of 10⁻⁹ units, the finest that Kubernetes keeps. */
export interface Amount {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const NANO = 1_000_000_000n;
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const PLAINLY_CANONICAL = /^[1-9]\d{0,2}(?:m|k|M|G|Ki|Mi|Gi|Ti)?$/;

/**
 * Reads a quantity, rounding up to whole nanos as Kubernetes does; `undefined` if the text is not one, or has more than 64
 * characters.
 */
export function parseAmount(text: string): Amount | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return undefined;
  const isNegative = quantity.numerator < 0n;
  const numerator = (isNegative ? -quantity.numerator : quantity.numerator) * NANO;
  const rounded = (numerator + quantity.denominator - 1n) / quantity.denominator;
  return { nanos: isNegative ? -rounded : rounded, format: formatOf(text) };
}

function formatOf(text: string): QuantityFormat {
  if (text.endsWith("i")) return "binary";
  return /[eE][+-]?\d/.test(text) ? "exponent" : "decimal";
}

/** The text that the API server returns for an amount (apimachinery, `Quantity.CanonicalizeBytes`). */
export function formatAmount(amount: Amount): string {
  const { nanos } = amount;
  if (nanos === 0n) return "0";
  const small = nanos > -1024n * NANO && nanos < 1024n * NANO;
  if (amount.format === "binary" && !small) return formatBinary(nanos);
  let mantissa = nanos;
  let power = 0;
  while (power < DECIMAL_SUFFIXES.length - 1 && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    power += 1;
  }
  if (amount.format === "exponent") return power === 3 ? `${mantissa}` : `${mantissa}e${(power - 3) * 3}`;
  return `${mantissa}${DECIMAL_SUFFIXES[power] ?? ""}`;
}

/** The text that the API server returns for a user's quantity; `undefined` if it refuses the text. */
export function canonicalQuantity(text: string): string | undefined {
  if (PLAINLY_CANONICAL.test(text)) return text;
  const amount = parseAmount(text);
  return amount === undefined ? undefined : formatAmount(amount);
}

/** The sum of two amounts, in the format of the first; in that of the second if the first is zero. */
export function addAmounts(a: Amount, b: Amount): Amount {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Zero. */
export const ZERO_AMOUNT: Amount = { nanos: 0n, format: "decimal" };

/** An amount as a number of units: bytes of memory, cores of CPU with a fraction. */
export function amountToNumber(amount: Amount): number {
  return Number(amount.nanos) / 1e9;
}

function formatBinary(nanos: bigint): string {
  let mantissa = nanos / NANO;
  if (mantissa * NANO !== nanos) mantissa += nanos > 0n ? 1n : -1n;
  let power = 0;
  while (power < BINARY_SUFFIXES.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power += 1;
  }
  return `${mantissa}${BINARY_SUFFIXES[power] ?? ""}`;
}
