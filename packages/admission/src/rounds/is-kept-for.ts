/**
 * Whether room is kept now for a start that came at `since`. It is kept in the first period and then in every second one; the
 * periods last 1, 1, 2, 4, 8, … times `keepMs`. So the needed room is free at some time, but does not stay idle for ever.
 */
export function isKeptFor({ since }: { readonly since: number }, now: number, keepMs: number): boolean {
  const periods = (now - since) / keepMs;
  return periods < 1 || Math.floor(Math.log2(periods)) % 2 === 1;
}
