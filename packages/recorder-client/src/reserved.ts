import type { Usage } from "./run.ts";

/** What pods have reserved together. */
export interface Reserved {
  readonly coreSeconds: number;
  readonly gibSeconds: number;
  /** Those of the core seconds that were on spot nodes. */
  readonly spotCoreSeconds: number;
}

/** What pods have reserved together, on nodes of all kinds. */
export function reserved(usage: readonly Usage[]): Reserved {
  const sum = { coreSeconds: 0, gibSeconds: 0, spotCoreSeconds: 0 };
  for (const { coreSeconds, gibSeconds, spot } of usage) {
    sum.coreSeconds += coreSeconds;
    sum.gibSeconds += gibSeconds;
    if (spot) sum.spotCoreSeconds += coreSeconds;
  }
  return sum;
}

/** Seconds in hours, with as many digits as people read. */
export function hoursText(seconds: number): string {
  const value = seconds / 3600;
  if (value === 0) return "0";
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}
