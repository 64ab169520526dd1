import type { EnvVar } from "@kindling/core-spec";

/**
 * The variables that a container sees, as the kubelet makes them. A reference finds only variables before it. If several
 * variables have the same name, the last one counts.
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
