/**
 * Whether it is a time in which room is kept for a start that came at `since`: the first period, no longer than `keepMs`,
 * and then every second one, each twice as long as the one before. So the room that is needed is free at some time, and
 * is not kept idle for ever.
 */
export function isKeptFor({ since }: { readonly since: number }, now: number, keepMs: number): boolean {
  const periods = (now - since) / keepMs;
  return periods < 1 || Math.floor(Math.log2(periods)) % 2 === 1;
}
