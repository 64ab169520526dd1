/** The first that has anything; nothing if none has. */
export function firstOf(
  ...maps: readonly (Readonly<Record<string, string>> | undefined)[]
): Readonly<Record<string, string>> {
  return maps.find((map) => map !== undefined && Object.keys(map).length > 0) ?? {};
}
