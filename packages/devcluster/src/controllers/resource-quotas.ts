import { addAmounts, type Amount, formatAmount, type StoreEvent, ZERO_AMOUNT } from "@kindling/api-server";
import type { ResourceQuota } from "../objects/core.ts";
import { type Pod, isFinished } from "../objects/pod.ts";
import { inScope, usageOf } from "../quota/usage.ts";
import { QueueController } from "./queue-controller.ts";

/** Counts how much of the quotas of each namespace is used. */
export class ResourceQuotaController extends QueueController {
  override start(): void {
    const { store } = this.context.api;
    const quotas = store.collection("resourcequotas");
    const observe = (resource: string, event: StoreEvent): void => {
      const namespace = event.object.object.metadata.namespace;
      if (namespace === undefined || quotas.size === 0) return;
      if (resource === "resourcequotas" ? specChanged(event) : frees(resource, event)) this.queue.add(namespace);
    };
    this.onStop(store.subscribe(observe));
    for (const { object } of quotas.list()) this.queue.add(object.metadata.namespace ?? "");
  }

  protected override sync(namespace: string): void {
    const { store, types } = this.context.api;
    const type = types.builtIn("resourcequotas");
    for (const { object } of store.collection("resourcequotas").list(namespace)) {
      const quota = object as ResourceQuota;
      const used = this.#usedOf(quota, namespace);
      const hard = quota.spec.hard ?? {};
      const counted = Object.fromEntries(
        Object.keys(hard).map((name) => [name, formatAmount(used.get(name) ?? ZERO_AMOUNT)]),
      );
      this.writer.updateStatus<ResourceQuota>(type, quota.metadata, () => ({ hard, used: counted }));
    }
  }

  #usedOf(quota: ResourceQuota, namespace: string): Map<string, Amount> {
    const used = new Map<string, Amount>();
    for (const [resource, collection] of this.context.api.store.collections()) {
      for (const { object } of collection.list(namespace)) {
        if (!inScope(quota, resource, object)) continue;
        for (const [name, amount] of usageOf(resource, object)) {
          used.set(name, addAmounts(used.get(name) ?? ZERO_AMOUNT, amount));
        }
      }
    }
    return used;
  }
}

function specChanged({ object, previous }: StoreEvent): boolean {
  return previous === undefined || previous.object["spec"] !== object.object["spec"];
}

// Admission has counted what is created; what ends is counted here.
function frees(resource: string, { type, object, previous }: StoreEvent): boolean {
  if (type === "DELETED") return true;
  if (resource !== "pods" || previous === undefined) return false;
  return isFinished(object.object as Pod) && !isFinished(previous.object as Pod);
}
