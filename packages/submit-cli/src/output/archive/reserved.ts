import type { Usage } from "@kindling/recorder-client";

/** What pods have reserved together, on nodes of all kinds. */
export function reserved(usage: readonly Usage[]): { readonly coreSeconds: number; readonly gibSeconds: number } {
  const sum = { coreSeconds: 0, gibSeconds: 0 };
  for (const { coreSeconds, gibSeconds } of usage) {
    sum.coreSeconds += coreSeconds;
    sum.gibSeconds += gibSeconds;
  }
  return sum;
}

/** Seconds in hours, with as many digits as people read. */
export function hours(seconds: number): string {
  const value = seconds / 3600;
  if (value === 0) return "0";
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}
