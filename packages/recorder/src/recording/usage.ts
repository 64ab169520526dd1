import type { PodLife } from "../runs/pod-life.ts";
import type { Usage } from "../runs/run.ts";

const GIB = 1024 ** 3;

/** What pods have reserved, by the kind of their nodes. Pods that never had a node have reserved nothing. */
export function usageOf(lives: readonly PodLife[]): readonly Usage[] {
  const usages = new Map<string, Usage>();
  for (const { started, ended, cores, memory, nodeType, spot } of lives) {
    if (started === undefined) continue;
    const key = `${nodeType ?? ""} ${spot}`;
    const known = usages.get(key) ?? {
      ...(nodeType !== undefined && { nodeType }),
      spot,
      coreSeconds: 0,
      gibSeconds: 0,
    };
    // Clocks of nodes differ, and may be set back.
    const seconds = Math.max(0, ended - started) / 1000;
    usages.set(key, {
      ...known,
      coreSeconds: known.coreSeconds + cores * seconds,
      gibSeconds: known.gibSeconds + (memory / GIB) * seconds,
    });
  }
  return [...usages.values()].map((usage) => ({
    ...usage,
    coreSeconds: rounded(usage.coreSeconds),
    gibSeconds: rounded(usage.gibSeconds),
  }));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
