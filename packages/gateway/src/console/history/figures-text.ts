import type { Usage } from "@kindling/recorder-client";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** How long something took, with the two largest units that matter. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return parts([seconds, MINUTE, "min"], "s");
  return seconds < 2 * DAY ? parts([seconds, HOUR, "h"], "min") : parts([seconds, DAY, "days"], "h");
}

function parts([seconds, unit, name]: readonly [number, number, string], smaller: "s" | "min" | "h"): string {
  const rest = Math.floor((seconds % unit) / { s: 1, min: MINUTE, h: HOUR }[smaller]);
  const whole = `${Math.floor(seconds / unit)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smaller}`;
}

/** Seconds in hours, with as many digits as people read. */
export function hoursText(seconds: number): string {
  const value = seconds / HOUR;
  if (value === 0) return "0";
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}

/** What pods have reserved together, on nodes of all kinds. */
export function reserved(usage: readonly Usage[]): {
  readonly coreSeconds: number;
  readonly gibSeconds: number;
  readonly spotCoreSeconds: number;
} {
  const sum = { coreSeconds: 0, gibSeconds: 0, spotCoreSeconds: 0 };
  for (const { coreSeconds, gibSeconds, spot } of usage) {
    sum.coreSeconds += coreSeconds;
    sum.gibSeconds += gibSeconds;
    if (spot) sum.spotCoreSeconds += coreSeconds;
  }
  return sum;
}
