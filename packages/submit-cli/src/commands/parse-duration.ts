import { KindlingError, parseTime } from "@kindling/core-spec";

/**
 * A duration as kubectl, helm and Spark take it, in milliseconds: `90s`, `10m`, `1h30m`; a number alone is seconds.
 *
 * @param flag what the value was given to
 * @throws KindlingError `ARGUMENT_INVALID` for what is none, or is not positive
 */
export function parseDuration(flag: string, text: string): number {
  const withUnit = /^\d+$/.test(text) ? `${text}s` : text;
  const parts = withUnit.match(/\d+[a-z]+/g) ?? [];
  const milliseconds = parts.join("") === withUnit ? sumOf(parts) : undefined;
  if (milliseconds === undefined || milliseconds <= 0)
    throw new KindlingError("ARGUMENT_INVALID", `${flag} ${text}: must be a duration such as 90s, 10m or 1h30m`);
  return milliseconds;
}

function sumOf(parts: readonly string[]): number | undefined {
  let sum = 0;
  for (const part of parts) {
    const milliseconds = parseTime(part, "ms");
    if (milliseconds === undefined) return undefined;
    sum += milliseconds;
  }
  return sum;
}
