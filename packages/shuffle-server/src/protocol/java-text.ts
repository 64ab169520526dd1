/** `String.hashCode` of Java: Spark chooses a block's directory by it. A 32-bit integer with its sign. */
export function javaHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** `JavaUtils.nonNegativeHash`. */
export function nonNegativeHash(text: string): number {
  const hash = javaHash(text);
  return hash === -0x8000_0000 ? 0 : Math.abs(hash);
}

/** `String.split("_")` of Java: empty parts at the end are left out. */
export function splitJava(text: string): readonly string[] {
  const parts = text.split("_");
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts;
}

/** `Integer.parseInt` of Java, or undefined where it throws. */
export function javaInt(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value | 0 : undefined;
}

/** `Long.parseLong` of Java, or undefined where it throws. */
export function javaLong(text: string): bigint | undefined {
  // A longer number has leading zeros or is too large.
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * The keys of a `HashMap` of Java in the order in which it is walked, after they were put into it in this order. Spark's
 * answer about local directories has this order.
 */
export function inHashMapOrder(keys: readonly string[]): readonly string[] {
  let size = 16;
  while (keys.length > size * 0.75) size *= 2;
  const place = (key: string): number => {
    const hash = javaHash(key);
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return keys.toSorted((a, b) => place(a) - place(b));
}
