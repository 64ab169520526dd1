import type { PodLife } from "./pod-life.ts";
import type { Usage } from "./run.ts";

const GIB = 1024 ** 3;

/** What pods have reserved together, by the kind of their nodes. */
export class UsageSum {
  readonly #usages = new Map<string, Usage>();

  add({ nodeType, spot, coreSeconds, gibSeconds }: Usage): void {
    const key = `${nodeType ?? ""} ${spot}`;
    const known = this.#usages.get(key);
    this.#usages.set(key, {
      ...(nodeType !== undefined && { nodeType }),
      spot,
      coreSeconds: (known?.coreSeconds ?? 0) + coreSeconds,
      gibSeconds: (known?.gibSeconds ?? 0) + gibSeconds,
    });
  }

  /** To the millisecond. */
  get usages(): readonly Usage[] {
    return [...this.#usages.values()].map((usage) => ({
      ...usage,
      coreSeconds: rounded(usage.coreSeconds),
      gibSeconds: rounded(usage.gibSeconds),
    }));
  }
}

/** What pods have reserved, by the kind of their nodes. Pods that never had a node have reserved nothing. */
export function usageOf(lives: readonly PodLife[]): readonly Usage[] {
  const sum = new UsageSum();
  for (const { started, ended, cores, memory, nodeType, spot } of lives) {
    if (started === undefined) continue;
    // Clocks of nodes differ, and may be set back.
    const seconds = Math.max(0, ended - started) / 1000;
    const reserved = { spot, coreSeconds: cores * seconds, gibSeconds: (memory / GIB) * seconds };
    sum.add(nodeType === undefined ? reserved : { ...reserved, nodeType });
  }
  return sum.usages;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
