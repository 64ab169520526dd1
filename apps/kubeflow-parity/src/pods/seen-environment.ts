import type { EnvVar } from "@kindling/core-spec";

/**
 * What a container sees of its variables, as the kubelet makes them: a reference finds what stands in front of it, and of
 * several variables with one name the last counts.
 *
 * @returns values, or where they come from, by name
 */
export function seenEnvironment(env: readonly EnvVar[] = []): Readonly<Record<string, unknown>> {
  const known = new Map<string, unknown>();
  for (const { name, value = "", valueFrom } of env) {
    const expanded = value.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, wanted: string | undefined) => {
      if (wanted === undefined) return "$";
      const found = known.get(wanted);
      if (found === undefined) return whole;
      return typeof found === "string" ? found : JSON.stringify(found);
    });
    known.set(name, valueFrom ?? expanded);
  }
  return Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)));
}
