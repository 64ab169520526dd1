import { harmlessText } from "@kindling/core-spec";

/** Keys that decide how an application runs; the whole configuration is in the driver's ConfigMap. */
const KEYS_THAT_MATTER =
  /^spark\.(?:(?:driver|executor)\.(?:memory|memoryOverhead|cores|instances)|dynamicAllocation\.(?:enabled|minExecutors|maxExecutors)|kubernetes\.(?:container\.image|(?:driver|executor)\.(?:container\.image|request\.cores|limit\.cores|podTemplateFile|pod\.name)|node\.selector\..*|namespace|authenticate\.driver\.serviceAccountName)|kindling\.staging\.uri|eventLog\.(?:enabled|dir)|master)$/;

/** The keys that matter, a line each; empty if the configuration is not known. */
export function configurationText(entries: Readonly<Record<string, string>> | undefined): string {
  if (entries === undefined) return "";
  const shown = Object.entries(entries)
    .filter(([key]) => KEYS_THAT_MATTER.test(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return shown.length === 0
    ? ""
    : `CONFIGURATION\n${shown.map(([key, value]) => `${key}=${harmlessText(value)}\n`).join("")}`;
}
