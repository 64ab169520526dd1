import type { KubeObject } from "@kindling/kube-objects";
import type { ResourceQuota } from "../objects/core.ts";
import {
  addAmounts,
  type AdmissionPlugin,
  type AdmissionRequest,
  type Amount,
  forbidden,
  formatAmount,
  parseAmount,
  type Store,
  ZERO_AMOUNT,
} from "@kindling/api-server";
import { type Container, type Pod, containersOf } from "../objects/pod.ts";
import { inScope, usageOf } from "../quota/usage.ts";

/**
 * Refuses what exceeds a quota of the namespace. Accepted objects are counted at once, because the next request may come
 * before the controller has counted.
 */
export function resourceQuotaAdmission(store: Store): AdmissionPlugin {
  const collection = store.collection("resourcequotas");
  return {
    validate(request) {
      const { operation, type, namespace, object, dryRun, subresource } = request;
      if (operation !== "create" || object === undefined || namespace === undefined || subresource !== "") return;
      const quotas = [...collection.list(namespace)].filter((stored) =>
        inScope(stored.object as ResourceQuota, type.storageKey, object),
      );
      if (quotas.length === 0) return;
      const usage = usageOf(type.storageKey, object);
      const updates = quotas.flatMap((stored) => {
        const quota = stored.object as ResourceQuota;
        refuseUnspecified(request, quota, object);
        const used = charge(request, quota, usage);
        return used === undefined ? [] : [{ stored, used }];
      });
      if (dryRun) return;
      for (const { stored, used } of updates) {
        const quota = stored.object as ResourceQuota;
        collection.put({ ...quota, status: { ...quota.status, used } }, stored.managed);
      }
    },
  };
}

function charge(
  request: AdmissionRequest,
  { metadata, status }: ResourceQuota,
  usage: ReadonlyMap<string, Amount>,
): Record<string, string> | undefined {
  const hard = status.hard ?? {};
  const relevant = Object.keys(hard).filter((name) => (usage.get(name)?.nanos ?? 0n) !== 0n);
  if (relevant.length === 0) return undefined;
  const used = { ...status.used };
  const over: string[] = [];
  for (const name of relevant) {
    const total = addAmounts(parseAmount(used[name] ?? "0") ?? ZERO_AMOUNT, usage.get(name) ?? ZERO_AMOUNT);
    if (total.nanos > (parseAmount(hard[name] ?? "0") ?? ZERO_AMOUNT).nanos) over.push(name);
    used[name] = formatAmount(total);
  }
  if (over.length === 0) return used;
  over.sort();
  const list = (value: (name: string) => string): string => over.map((name) => `${name}=${value(name)}`).join(",");
  const why = [
    `exceeded quota: ${metadata.name}`,
    `requested: ${list((name) => formatAmount(usage.get(name) ?? ZERO_AMOUNT))}`,
    `used: ${list((name) => status.used?.[name] ?? "0")}`,
    `limited: ${list((name) => hard[name] ?? "0")}`,
  ].join(", ");
  throw refused(request, why);
}

const COMPUTE = /^(?:(requests|limits)\.)?(cpu|memory)$/;

// If computing resources are limited, each container must set its own.
function refuseUnspecified(request: AdmissionRequest, { metadata, status }: ResourceQuota, object: KubeObject): void {
  if (request.type.storageKey !== "pods") return;
  const pod = object as Pod;
  const missing: string[] = [];
  for (const name of Object.keys(status.hard ?? {}).sort()) {
    const match = COMPUTE.exec(name);
    if (match === null) continue;
    const kind = match[1] === "limits" ? "limits" : "requests";
    const resource = match[2] ?? "";
    const lacking = [...(pod.spec.initContainers ?? []), ...containersOf(pod)].filter(
      (container: Container) => container.resources[kind]?.[resource] === undefined,
    );
    if (lacking.length > 0)
      missing.push(
        `${name} for: ${lacking
          .map((container) => container.name)
          .sort()
          .join(",")}`,
      );
  }
  if (missing.length > 0) throw refused(request, `failed quota: ${metadata.name}: must specify ${missing.join("; ")}`);
}

function refused({ type, object, name }: AdmissionRequest, why: string): Error {
  return forbidden({ group: type.group, resource: type.plural }, object?.metadata.name ?? name, why);
}
