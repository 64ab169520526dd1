import type { KubeObject } from "@kindling/kube-objects";
import { addAmounts, type Amount, parseAmount, ZERO_AMOUNT } from "@kindling/api-server";
import type { PersistentVolumeClaim, ResourceQuota } from "../objects/core.ts";
import { type Container, type Pod, type ResourceList, containersOf, isFinished } from "../objects/pod.ts";

/** Amounts by the names that quotas use. */
export type Usage = ReadonlyMap<string, Amount>;

const ONE: Amount = { nanos: 1_000_000_000n, format: "decimal" };

/** How much an object counts in the quotas of its namespace. */
export function usageOf(storageKey: string, object: KubeObject): Usage {
  const usage = new Map<string, Amount>([[`count/${storageKey}`, ONE]]);
  switch (storageKey) {
    case "pods":
      if (!isFinished(object as Pod)) addPod(usage, object as Pod);
      break;
    case "persistentvolumeclaims": {
      usage.set("persistentvolumeclaims", ONE);
      const { resources } = (object as PersistentVolumeClaim).spec;
      const storage = parseAmount(resources.requests?.["storage"] ?? "0") ?? ZERO_AMOUNT;
      usage.set("requests.storage", storage);
      break;
    }
    case "configmaps":
    case "secrets":
    case "services":
    case "resourcequotas":
      usage.set(storageKey, ONE);
      break;
    default:
  }
  return usage;
}

function addPod(usage: Map<string, Amount>, pod: Pod): void {
  usage.set("pods", ONE);
  for (const [name, amount] of podResources(pod, "requests")) {
    usage.set(`requests.${name}`, amount);
    usage.set(name, amount);
  }
  for (const [name, amount] of podResources(pod, "limits")) usage.set(`limits.${name}`, amount);
}

/**
 * The request or limit of a pod as a whole: the sum of its containers, or the need of its init containers if that is more, or
 * the pod's own value for all containers together; and its overhead.
 */
export function podResources(pod: Pod, kind: "requests" | "limits"): Map<string, Amount> {
  const total = new Map<string, Amount>();
  for (const container of containersOf(pod)) addList(total, container.resources[kind]);
  const inits = pod.spec.initContainers ?? [];
  for (const sidecar of inits.filter(isSidecar)) addList(total, sidecar.resources[kind]);
  // Init containers run one after another, together with the sidecars that started before them.
  const before = new Map<string, Amount>();
  for (const init of inits) {
    if (isSidecar(init)) {
      addList(before, init.resources[kind]);
      continue;
    }
    const needed = new Map(before);
    addList(needed, init.resources[kind]);
    for (const [name, amount] of needed) if (amount.nanos > (total.get(name)?.nanos ?? -1n)) total.set(name, amount);
  }
  for (const [name, text] of Object.entries(wholeResources(pod, kind, total))) {
    const amount = parseAmount(text);
    if (amount !== undefined) total.set(name, amount);
  }
  if (kind === "requests" || total.size > 0) addList(total, pod.spec.overhead);
  return total;
}

/** From a limit without a request, the API server makes a request if no container requests the resource. */
function wholeResources(
  { spec }: Pod,
  kind: "requests" | "limits",
  containers: ReadonlyMap<string, Amount>,
): ResourceList {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  if (kind === "limits") return limits;
  const missing = Object.entries(limits).filter(([name]) => !containers.has(name));
  return { ...Object.fromEntries(missing), ...requests };
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

function addList(total: Map<string, Amount>, list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseAmount(text);
    if (amount !== undefined) total.set(name, addAmounts(total.get(name) ?? ZERO_AMOUNT, amount));
  }
}

/** Whether an object counts in a quota with scopes; scopes apply only to pods. */
export function inScope(quota: ResourceQuota, storageKey: string, object: KubeObject): boolean {
  const scopes = quota.spec.scopes ?? [];
  if (scopes.length === 0) return true;
  return storageKey === "pods" && scopes.every((scope) => podInScope(object as Pod, scope));
}

function podInScope(pod: Pod, scope: string): boolean {
  const bestEffort = pod.status.qosClass === "BestEffort";
  switch (scope) {
    case "Terminating":
      return pod.spec.activeDeadlineSeconds !== undefined;
    case "NotTerminating":
      return pod.spec.activeDeadlineSeconds === undefined;
    case "BestEffort":
      return bestEffort;
    case "NotBestEffort":
      return !bestEffort;
    case "PriorityClass":
      return (pod.spec.priorityClassName ?? "") !== "";
    default:
      return false;
  }
}
