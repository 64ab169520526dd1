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
