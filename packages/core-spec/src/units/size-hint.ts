const UNITS = ["k", "m", "g", "t", "p"];

/**
 * The same size in Spark's form, for a size in Kubernetes' form (`2Gi`, `2GiB`) or with a fraction (`1.5g`); `undefined` if
 * the text is neither.
 */
export function sizeHint(text: string): string | undefined {
  const [, number = "", letter = ""] = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp])(?:i?b?)\s*$/i.exec(text) ?? [];
  const unit = UNITS.indexOf(letter.toLowerCase());
  if (number === "" || unit < 0) return undefined;
  if (!number.includes("."))
    return /i/i.test(text) ? `Spark's units are short: ${number}${UNITS[unit]} is the same` : undefined;
  const smaller = Math.ceil(Number(number) * 1024);
  return unit === 0 ? undefined : `Spark takes no fractions of a unit: ${smaller}${UNITS[unit - 1]} is the same`;
}
