import type { ResourceQuota } from "kubernetes-types/core/v1.js";
import type { PodShape } from "./pod-shape.ts";
import { amountIn, subtract, type Resources } from "./resources.ts";

/** A ResourceQuota: those of its keys that count pods. */
export interface NamespaceQuota {
  readonly namespace: string;
  readonly name: string;
  readonly hard: Resources;
  /** What the existing pods use, including drivers behind their gates. */
  readonly used: Resources;
}

const COUNTS_ONE: ReadonlySet<string> = new Set(["pods", "count/pods"]);
/** `cpu` is another word for `requests.cpu`, and so on. */
const REQUESTS_WITHOUT_PREFIX: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/**
 * Reads a quota; `undefined` if it does not count pods, or if it has scopes and so applies only to some pods. Quotas with
 * scopes are ignored here, but the API server still enforces them.
 */
export function namespaceQuota({ metadata, spec, status }: ResourceQuota): NamespaceQuota | undefined {
  const { hard = {}, scopes = [], scopeSelector } = spec ?? {};
  if (scopes.length > 0 || (scopeSelector?.matchExpressions ?? []).length > 0) return undefined;
  const limits = podAmounts(hard);
  if (Object.keys(limits).length === 0) return undefined;
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    hard: limits,
    used: podAmounts(status?.used ?? {}),
  };
}

/** What is left, with the quota's keys; negative if the quota was lowered after pods were created. */
export function quotaLeft({ hard, used }: NamespaceQuota): Resources {
  return subtract(hard, used);
}

/** How much a pod counts for a key of a quota. */
export function quotaCost(key: string, { requests, limits }: Pick<PodShape, "requests" | "limits">): number {
  if (COUNTS_ONE.has(key)) return 1;
  const [amounts, name] = counted(key);
  return (amounts === "limits" ? limits : requests)[name] ?? 0;
}

function podAmounts(quantities: Readonly<Record<string, string | number>>): Resources {
  return Object.fromEntries(
    Object.entries(quantities)
      .filter(([key]) => countsPods(key))
      .map(([key, text]) => [key, amountIn(String(text), counted(key)[1] === "cpu" ? 1000n : 1n)]),
  );
}

/** `requests.storage` counts claims, and other keys count objects of other kinds. */
function countsPods(key: string): boolean {
  if (COUNTS_ONE.has(key) || REQUESTS_WITHOUT_PREFIX.has(key)) return true;
  return /^(?:requests|limits)\./.test(key) && key !== "requests.storage";
}

function counted(key: string): ["requests" | "limits", string] {
  if (key.startsWith("limits.")) return ["limits", key.slice("limits.".length)];
  return ["requests", key.startsWith("requests.") ? key.slice("requests.".length) : key];
}
