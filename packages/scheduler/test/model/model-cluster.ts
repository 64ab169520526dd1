import type { Clock } from "@kindling/outside";
import type { CreateOutcome, ExecutorPods } from "../../src/index.ts";
import type { ExecutorId, ExecutorPod } from "../../src/executor-pod/executor-pod.ts";

/** What the API server does with the next requests. */
export interface Faults {
  /** Outcomes of the next creates; later ones succeed. `lost` is carried out, but its answer never comes. */
  creates: ("refused" | "lost" | "nothing")[];
  /** How many of the next deletions and patches fail. */
  writes: number;
}

/** A change as a watch would show it. */
export interface ClusterEvent {
  /** The version of the resulting state. */
  readonly version: number;
  readonly at: number;
  readonly type: "updated" | "removed";
  readonly pod: ExecutorPod;
}

/** All pods at a version. */
export interface ClusterState {
  readonly version: number;
  readonly at: number;
  readonly pods: readonly ExecutorPod[];
}

/**
 * The executor pods of one application, and how they change: a minimal cluster. Events wait in a queue until they are taken,
 * and every past state can be listed.
 */
export class ModelCluster implements ExecutorPods {
  readonly faults: Faults = { creates: [], writes: 0 };
  readonly events: ClusterEvent[] = [];
  #version = 1;
  readonly #clock: Clock;
  readonly #pods = new Map<ExecutorId, ExecutorPod>();
  readonly #past: ClusterState[] = [];
  #uid = 0;
  /** Told of each create and each deletion before it takes effect; of a deletion also if there is no pod to delete. */
  onCreate: (id: ExecutorId, profileId: number) => void = () => undefined;
  onDelete: (id: ExecutorId, pod: ExecutorPod | undefined) => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#past.push(this.#present());
  }

  get pods(): readonly ExecutorPod[] {
    return [...this.#pods.values()];
  }

  /** The state some changes ago, but not older than a version, and not one that ended before a time. */
  stateBefore(changes: number, { version, time }: { readonly version: number; readonly time: number }): ClusterState {
    const first = Math.max(0, this.#past.length - 1 - changes);
    const isAllowed = (state: ClusterState, index: number): boolean =>
      state.version >= version && (this.#past[first + index + 1]?.at ?? this.#clock.now()) >= time;
    return this.#past.slice(first).find(isAllowed) ?? this.#present();
  }

  /** Changes a pod as a kubelet or a person does. */
  change(id: ExecutorId, changed: Partial<ExecutorPod>): void {
    const pod = this.#pods.get(id);
    if (pod === undefined) return;
    const next = { ...pod, ...changed };
    this.#pods.set(id, next);
    this.#note({ type: "updated", pod: next });
  }

  /** The pod is gone for good. */
  remove(id: ExecutorId): void {
    const pod = this.#pods.get(id);
    if (pod === undefined) return;
    this.#pods.delete(id);
    this.#note({ type: "removed", pod });
  }

  async create(id: ExecutorId, profileId: number): Promise<CreateOutcome> {
    this.onCreate(id, profileId);
    const fault = this.faults.creates.shift();
    if (fault === "refused") return { kind: "refused", message: "exceeded quota" };
    if (this.#pods.has(id)) return { kind: "refused", message: "already exists" };
    if (fault !== "nothing") this.#add(id, profileId);
    return fault === undefined ? { kind: "created", claims: 0 } : { kind: "unknown", message: "no answer" };
  }

  async deletePending(ids: readonly ExecutorId[]): Promise<void> {
    this.#write();
    for (const id of ids) {
      if (this.#pods.get(id)?.phase === "running") this.onDelete(id, undefined);
      else this.#delete(id);
    }
  }

  async deleteAny(ids: readonly ExecutorId[]): Promise<void> {
    this.#write();
    for (const id of ids) this.#delete(id);
  }

  async deleteOne(name: string, uid: string): Promise<void> {
    this.#write();
    for (const pod of this.pods) if (pod.name === name && pod.uid === uid) this.#delete(pod.id);
  }

  async markInactive(name: string): Promise<void> {
    this.#write();
    for (const pod of this.pods) if (pod.name === name) this.change(pod.id, { inactive: true });
  }

  #add(id: ExecutorId, profileId: number): void {
    this.#uid += 1;
    const pod: ExecutorPod = {
      id,
      name: `exec-${id}`,
      uid: String(this.#uid),
      profileId,
      phase: "pending",
      created: this.#clock.now(),
      deleting: false,
      inactive: false,
      reason: undefined,
      message: undefined,
      termination: undefined,
      claims: [],
    };
    this.#pods.set(id, pod);
    this.#note({ type: "updated", pod });
  }

  /** A running pod takes time to stop; others are gone at once. */
  #delete(id: ExecutorId): void {
    const pod = this.#pods.get(id);
    this.onDelete(id, pod);
    if (pod?.phase === "running") this.change(id, { deleting: true });
    else this.remove(id);
  }

  #write(): void {
    if (this.faults.writes === 0) return;
    this.faults.writes -= 1;
    throw new Error("the API server is ill");
  }

  #note(event: Pick<ClusterEvent, "type" | "pod">): void {
    this.#version += 1;
    this.events.push({ ...event, version: this.#version, at: this.#clock.now() });
    this.#past.push(this.#present());
  }

  #present(): ClusterState {
    return { version: this.#version, at: this.#clock.now(), pods: this.pods };
  }
}
