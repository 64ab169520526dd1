const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A span of time as `kubectl get` shows it: two units at most, and larger units for longer times (apimachinery,
 * `HumanDuration`).
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  const minutes = Math.trunc(seconds / MINUTE);
  if (minutes < 10) return withRest(minutes, "m", seconds % MINUTE, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(seconds / HOUR);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(seconds / DAY);
  if (days < 8) return withRest(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

/** The time since a timestamp. */
export function age(timestamp: string | null | undefined, now: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "<unknown>";
  return humanDuration(now - Date.parse(timestamp));
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
}
