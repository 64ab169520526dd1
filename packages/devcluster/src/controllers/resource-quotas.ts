import { addAmounts, type Amount, formatAmount, type StoreEvent, ZERO_AMOUNT } from "@kindling/api-server";
import type { ResourceQuota } from "../objects/core.ts";
import { type Pod, isFinished } from "../objects/pod.ts";
import { inScope, usageOf } from "../quota/usage.ts";
import type { Controller, ControllerContext } from "./controller.ts";
import { SystemWriter } from "./system-writer.ts";
import { WorkQueue } from "./work-queue.ts";

/** Counts what is used of the quotas of each namespace. */
export class ResourceQuotaController implements Controller {
  readonly #context: ControllerContext;
  readonly #writer: SystemWriter;
  readonly #queue: WorkQueue;
  #stop: () => void = () => undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#writer = new SystemWriter(context.api, "kube-controller-manager");
    this.#queue = new WorkQueue(context.api.clock, (namespace) => this.#sync(namespace));
  }

  start(): void {
    const { store } = this.#context.api;
    const quotas = store.collection("resourcequotas");
    this.#stop = store.subscribe((resource, event) => {
      const namespace = event.object.object.metadata.namespace;
      if (namespace === undefined || quotas.size === 0) return;
      if (resource === "resourcequotas" ? specChanged(event) : frees(resource, event)) this.#queue.add(namespace);
    });
    for (const { object } of quotas.list()) this.#queue.add(object.metadata.namespace ?? "");
  }

  stop(): void {
    this.#stop();
    this.#queue.stop();
  }

  #sync(namespace: string): void {
    const { store, types } = this.#context.api;
    const type = types.builtIn("resourcequotas");
    for (const { object } of store.collection("resourcequotas").list(namespace)) {
      const quota = object as ResourceQuota;
      const used = this.#usedOf(quota, namespace);
      const hard = quota.spec.hard ?? {};
      const counted = Object.fromEntries(
        Object.keys(hard).map((name) => [name, formatAmount(used.get(name) ?? ZERO_AMOUNT)]),
      );
      this.#writer.updateStatus<ResourceQuota>(type, quota.metadata, () => ({ hard, used: counted }));
    }
  }

  #usedOf(quota: ResourceQuota, namespace: string): Map<string, Amount> {
    const used = new Map<string, Amount>();
    for (const [resource, collection] of this.#context.api.store.collections()) {
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

// What is made has been counted by admission; what ends is counted here.
function frees(resource: string, { type, object, previous }: StoreEvent): boolean {
  if (type === "DELETED") return true;
  if (resource !== "pods" || previous === undefined) return false;
  return isFinished(object.object as Pod) && !isFinished(previous.object as Pod);
}
