import type { Clock } from "@kindling/outside";
import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";
import { snapshotOf, type ExecutorPodsSnapshot, type SnapshotChange } from "./executor-pods-snapshot.ts";
import { Subscriber, type SubscriberOptions } from "./subscriber.ts";

export interface Subscription {
  /** Lets the subscriber be called soon, and not only at its next interval. */
  notify(): void;
  /** Resolves when the subscriber will not be called any more. */
  stop(): Promise<void>;
}

/**
 * What is known about the executor pods of one application. An event changes one pod, a list replaces everything; a missing
 * event means nothing. Each subscriber gets every change, in order, at its own interval.
 *
 * Counterpart of `ExecutorPodsSnapshotsStoreImpl` (Spark 3.5); differs in that a pod that is gone leaves the snapshot at
 * once.
 */
export class ExecutorPodsSnapshotsStore {
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();
  readonly #pods = new Map<ExecutorId, ExecutorPod>();
  #fullSnapshotAt = 0;
  #resourceVersion: string | undefined;
  #last: ExecutorPodsSnapshot | undefined;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** The current snapshot. The returned object does not change afterwards. */
  get last(): ExecutorPodsSnapshot {
    this.#last ??= { pods: new Map(this.#pods), fullSnapshotAt: this.#fullSnapshotAt };
    return this.#last;
  }

  /** The resource version of the whole store; `undefined` if no source has given one. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  /** A pod was created or has changed. */
  updatePod(pod: ExecutorPod, resourceVersion?: string): void {
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
    this.#pods.set(pod.id, pod);
    this.#tell({ kind: "updated", pod });
  }

  /** A pod is no longer in the cluster; `pod` is its last state. */
  removePod(pod: ExecutorPod, resourceVersion?: string): void {
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
    // The pod with the same id may be another one now.
    if (this.#pods.get(pod.id)?.uid === pod.uid) this.#pods.delete(pod.id);
    const ended = pod.phase === "failed" || pod.phase === "succeeded";
    this.#tell({ kind: "removed", pod: ended ? pod : { ...pod, phase: "deleted" } });
  }

  /** Replaces all pods: there are no others. */
  replaceSnapshot(pods: readonly ExecutorPod[], resourceVersion?: string): void {
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
    const snapshot = snapshotOf(pods, this.#clock.now());
    this.#fullSnapshotAt = snapshot.fullSnapshotAt;
    this.#pods.clear();
    for (const [id, pod] of snapshot.pods) this.#pods.set(id, pod);
    this.#tell({ kind: "replaced", snapshot });
  }

  /** The subscriber is called at once for the first time, with the current state. */
  subscribe(options: SubscriberOptions): Subscription {
    const subscriber = new Subscriber(this.#clock, options, () => this.last);
    this.#subscribers.add(subscriber);
    subscriber.add({ kind: "replaced", snapshot: this.last });
    subscriber.notify();
    return {
      notify: () => subscriber.notify(),
      stop: () => {
        this.#subscribers.delete(subscriber);
        return subscriber.stop();
      },
    };
  }

  /** Resolves when no subscriber will be called any more. */
  async stop(): Promise<void> {
    const all = [...this.#subscribers];
    this.#subscribers.clear();
    await Promise.all(all.map((subscriber) => subscriber.stop()));
  }

  #tell(change: SnapshotChange): void {
    this.#last = undefined;
    for (const subscriber of this.#subscribers) subscriber.add(change);
  }
}
