import { KindlingError, parseTime } from "@kindling/core-spec";

/**
 * A duration in the form of kubectl, helm and Spark, in milliseconds: `90s`, `10m`, `1h30m`; a number alone means seconds.
 *
 * @param flag the flag with the value
 * @throws KindlingError `ARGUMENT_INVALID` if it is invalid or not positive
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
