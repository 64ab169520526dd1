/** The first map that is not empty; an empty map if there is none. */
export function firstOf(
  ...maps: readonly (Readonly<Record<string, string>> | undefined)[]
): Readonly<Record<string, string>> {
  return maps.find((map) => map !== undefined && Object.keys(map).length > 0) ?? {};
}
