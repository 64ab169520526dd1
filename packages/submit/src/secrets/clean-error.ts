import type { Redactor } from "@kindling/core-spec";

// A chain of causes may be circular.
const MOST_CAUSES = 10;

/**
 * Removes secrets from an error and its causes: a server may repeat the request that it refuses. The error stays the same
 * object, so that its class and its fields stay too.
 */
export function cleanError(error: unknown, secrets: Redactor): unknown {
  let fault: unknown = error;
  for (let depth = 0; fault instanceof Error && depth < MOST_CAUSES; depth++) {
    cleanTexts(fault, ["message", "stack", ...Object.keys(fault)], secrets);
    fault = fault.cause;
  }
  return error;
}

/** A copy of a value with clean texts. */
export function cleanValue<T>(value: T, secrets: Redactor): T {
  return cleaned(value, secrets) as T;
}

function cleanTexts(fault: Error, names: readonly string[], secrets: Redactor): void {
  for (const name of names) {
    const before: unknown = Reflect.get(fault, name);
    const after = name === "cause" ? before : cleaned(before, secrets);
    // Getters and read-only fields are left alone.
    if (after !== before) Reflect.defineProperty(fault, name, { value: after, configurable: true, writable: true });
  }
}

function cleaned(value: unknown, secrets: Redactor): unknown {
  if (typeof value === "string") return secrets.clean(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleaned(item, secrets));
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member, secrets)]));
}
