import { formatTime, type Json, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { KueueWatch } from "../../admission/kueue/kueue-watch.ts";
import { EXECUTORS_SET, type Workload } from "../../admission/kueue/workload.ts";
import { type NewWorkload, workloadObject } from "../../admission/kueue/workload-object.ts";
import { objectAt, objectsAt } from "../../json/fields.ts";

export interface WorkloadWritesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly kueue: KueueWatch;
}

/** How a write ended: `stale` if the Workload has changed meanwhile, or is there already. Then the plan is made again. */
export type WriteOutcome = "written" | "stale";

interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The longest message of a condition. */
const LONGEST_MESSAGE = 32_768;

/**
 * The writes to Workloads: one request each. A write that changes a Workload is refused if the Workload has changed since it
 * was read, so that nothing that Kueue writes at the same time is lost.
 */
export class WorkloadWrites {
  readonly #options: WorkloadWritesOptions;

  constructor(options: WorkloadWritesOptions) {
    this.#options = options;
  }

  async create(wish: NewWorkload): Promise<WriteOutcome> {
    const { client, kueue } = this.#options;
    if (kueue.types === undefined) return "stale";
    const { workloads } = kueue.types;
    return await this.#written(() => client.create(workloads, workloadObject(wish)));
  }

  /** Changes how many executors a pending Workload asks for. */
  async ask({ object, executors: before }: Workload, executors: number): Promise<WriteOutcome> {
    // What it gave back while it was admitted still counts as given back.
    const podSets = objectsAt(object, "spec", "podSets").map((set) =>
      set["name"] === EXECUTORS_SET ? { ...set, count: Number(set["count"]) + executors - before } : set,
    );
    return await this.#change(object, { spec: { podSets } });
  }

  /** Gives back what a Workload has for more than these executors (Kueue, "Dynamic Reclaim"). */
  async keep({ object }: Workload, executors: number): Promise<WriteOutcome> {
    const set = objectsAt(object, "spec", "podSets").find(({ name }) => name === EXECUTORS_SET);
    const count = Number(set?.["count"] ?? 0);
    const reclaimablePods = [{ name: EXECUTORS_SET, count: Math.max(0, count - executors) }];
    return await this.#changeStatus(object, { reclaimablePods });
  }

  /** Gives back all of an evicted Workload, and puts it into the queue again, as Kueue does for a Job. */
  async release({ object, state }: Workload): Promise<WriteOutcome> {
    const { reason, message } = state.kind === "evicted" ? state : { reason: "Evicted", message: "" };
    // After other evictions, such as that of a stopped queue, Kueue itself puts it into the queue again.
    const isRequeued = reason === "Preempted" || reason === "NodeFailures";
    const conditions: Condition[] = [
      { type: "QuotaReserved", status: "False", reason: "Pending", message },
      { type: "Admitted", status: "False", reason: "NoReservation", message: "The workload has no reservation" },
      { type: "Requeued", status: isRequeued ? "True" : "False", reason: reason === "" ? "Evicted" : reason, message },
      { type: "PodsReady", status: "False", reason: "WaitForStart", message: "Its pods are gone" },
    ];
    return await this.#changeStatus(object, { admission: null, conditions: this.#conditions(object, conditions) });
  }

  async ready({ object }: Workload): Promise<WriteOutcome> {
    const ready = { type: "PodsReady", status: "True", reason: "Started", message: "All pods run" } as const;
    return await this.#changeStatus(object, { conditions: this.#conditions(object, [ready]) });
  }

  async finish({ object }: Workload, hasSucceeded: boolean): Promise<WriteOutcome> {
    const reason = hasSucceeded ? "Succeeded" : "Failed";
    const finished = { type: "Finished", status: "True", reason, message: "The driver has ended" } as const;
    return await this.#changeStatus(object, { conditions: this.#conditions(object, [finished]) });
  }

  async delete(workload: Workload): Promise<WriteOutcome> {
    const { client, kueue } = this.#options;
    const { name, namespace, uid } = workload.object.metadata;
    if (kueue.types === undefined) return "stale";
    try {
      await client.delete(kueue.types.workloads, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (isConflict(error)) return "stale";
      if (!isNotFound(error)) throw error;
    }
    kueue.forget(workload);
    return "written";
  }

  async #changeStatus(object: KubeObject, status: JsonObject): Promise<WriteOutcome> {
    return await this.#change(object, { status }, "status");
  }

  async #change({ metadata }: KubeObject, patch: JsonObject, subresource?: "status"): Promise<WriteOutcome> {
    const { client, kueue } = this.#options;
    const { name, namespace, uid, resourceVersion } = metadata;
    if (kueue.types === undefined) return "stale";
    const { workloads } = kueue.types;
    const whole = { ...patch, metadata: { uid, resourceVersion } };
    return await this.#written(() => client.patch(workloads, name, "merge", whole, { namespace, subresource }));
  }

  async #written(write: () => Promise<KubeObject>): Promise<WriteOutcome> {
    try {
      this.#options.kueue.note(await write());
      return "written";
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return "stale";
      throw error;
    }
  }

  /** All conditions, with these in place of others of their types. */
  #conditions({ metadata, ...object }: KubeObject, changes: readonly Condition[]): Json[] {
    const known = objectsAt(objectAt(object, "status"), "conditions");
    const types = new Set<unknown>(changes.map(({ type }) => type));
    const lastTransitionTime = formatTime(this.#options.clock.now());
    const generation = (metadata as { readonly generation?: number }).generation ?? 1;
    const changed = changes.map(({ message, ...condition }) => ({
      ...condition,
      message: message.slice(0, LONGEST_MESSAGE),
      ...{ observedGeneration: generation, lastTransitionTime },
    }));
    return [...known.filter(({ type }) => !types.has(type)), ...changed];
  }
}
