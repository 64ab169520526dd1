import { ManualClock } from "@kindling/outside";
import type { ExecutorExit, ExecutorPodsSnapshotsStore } from "../../src/index.ts";
import type { ExecutorId, ExecutorPod } from "../../src/executor-pod/executor-pod.ts";
import type * as scheduler from "../../src/index.ts";
import { ModelCluster, type ClusterEvent } from "./model-cluster.ts";
import { ALLOCATOR, LIFECYCLE } from "./settings.ts";

/** The library under test: the one in `src`, or a mutant. */
export type Library = Pick<typeof scheduler, "ExecutorPodsSnapshotsStore" | "KubernetesSchedulerBackend">;

/** One life of the backend: a restart begins a new one, which knows nothing of the earlier one. */
interface Life {
  readonly store: ExecutorPodsSnapshotsStore;
  readonly backend: scheduler.KubernetesSchedulerBackend;
  readonly exits: ExecutorExit[];
  /** Executors that its store has ever seen. */
  readonly heardOf: Set<ExecutorId>;
  /** Requested and not shown yet, according to the model. */
  readonly requested: Map<ExecutorId, { readonly profileId: number; readonly at: number }>;
  /** Executors whose deletion was requested. */
  readonly deletionAsked: Set<ExecutorId>;
  readonly told: Map<ExecutorId, "killed" | "decommissioned">;
  readonly registered: Map<ExecutorId, { readonly profileId: number }>;
  /** Executors that its store was shown to have failed or succeeded. */
  readonly endShown: Set<ExecutorId>;
  /** The newest version that its store has seen. */
  version: number;
}

export const PROFILES = [0, 1] as const;

/** The library and a cluster, and the rules that must hold whatever happens to them. Breaking one throws. */
export class ModelWorld {
  readonly clock = new ManualClock();
  readonly cluster = new ModelCluster(this.clock);
  readonly #library: Library;
  readonly #targets = new Map<number, number>(PROFILES.map((profileId) => [profileId, 0]));
  readonly #ended = new Set<ExecutorId>();
  readonly #violations: Violation[] = [];
  #lastEvent: ClusterEvent | undefined;
  #life: Life;

  constructor(library: Library) {
    this.#library = library;
    this.cluster.onCreate = (id, profileId) => this.#created(id, profileId);
    this.cluster.onDelete = (id, pod) => this.#deleted(id, pod);
    this.#life = this.#begin();
  }

  setTarget(profileId: number, target: number): void {
    this.#targets.set(profileId, target);
    this.#life.backend.requestTotalExecutors(this.#targets);
  }

  /** Events come in order. If a watch is later than the time for which the library remembers ends, it counts as broken. */
  deliver(count: number): void {
    // A watch begins with a list.
    if (this.#life.version === 0) this.poll(0);
    for (const event of this.cluster.events.splice(0, count)) if (this.#isFresh(event)) this.#show(event);
  }

  repeatLast(): void {
    if (this.#lastEvent !== undefined && this.#isFresh(this.#lastEvent)) this.#show(this.#lastEvent);
  }

  /** Events are lost; the list after a gap is another step. */
  drop(count: number): void {
    this.cluster.events.splice(0, count);
  }

  /** A list that may be some changes old, but not older than the store's state: a source drops an older list. */
  poll(age: number): void {
    const isFirst = this.#life.version === 0;
    // A watch continues from its list.
    if (isFirst) this.cluster.events.length = 0;
    // A cache is never so late that an executor would count as missing.
    const time = this.clock.now() - LIFECYCLE.missingPodDetectDeltaMs / 2;
    const { pods, version } = this.cluster.stateBefore(isFirst ? 0 : age, { version: this.#life.version, time });
    this.#life.version = version;
    for (const pod of pods) this.#heard(pod);
    this.#life.store.replaceSnapshot(pods.filter(({ inactive }) => !inactive));
  }

  run(id: ExecutorId): void {
    const pod = this.#pod(id);
    if (pod?.phase === "pending" && !pod.deleting) this.cluster.change(id, { phase: "running" });
  }

  finish(id: ExecutorId, phase: "failed" | "succeeded"): void {
    const pod = this.#pod(id);
    if (pod?.phase !== "running" && !(pod?.phase === "pending" && phase === "failed")) return;
    this.#ended.add(id);
    this.cluster.change(id, { phase });
  }

  /** Somebody deletes a pod: gracefully, or by force so that it is gone at once. */
  deleteByHand(id: ExecutorId, isForced: boolean): void {
    const pod = this.#pod(id);
    if (pod === undefined) return;
    if (isForced) this.cluster.remove(id);
    else this.cluster.change(id, pod.phase === "pending" ? { deleting: true, phase: "deleted" } : { deleting: true });
  }

  /** The kubelet has removed the pods that were being deleted. */
  reap(): void {
    for (const { id, deleting } of this.cluster.pods) if (deleting) this.cluster.remove(id);
  }

  register(id: ExecutorId): void {
    const { backend, heardOf, requested, registered } = this.#life;
    const pod = this.#pod(id);
    // An executor that was given up is not known before it is seen.
    const isKnown = heardOf.has(id) || this.#isAwaited(requested.get(id));
    if (pod?.phase !== "running" || !isKnown) return;
    if (!backend.executorRegistered(id)) return;
    registered.set(id, { profileId: pod.profileId });
    requested.delete(id);
  }

  sendOff(id: ExecutorId, how: "killed" | "decommissioned"): void {
    const { backend, store, told, registered } = this.#life;
    const isKnown = store.last.pods.has(id) || registered.has(id);
    if (isKnown && told.get(id) !== "killed") told.set(id, how);
    if (how === "killed") backend.killExecutors([id]);
    else backend.decommissionExecutors([id]);
  }

  async restart(): Promise<void> {
    await this.#life.backend.stop();
    this.#lastEvent = undefined;
    this.#life = this.#begin();
  }

  /** An id that exists or has existed, chosen by any number. */
  pick(seed: number): ExecutorId {
    const { pods } = this.cluster;
    return pods[seed % Math.max(1, pods.length)]?.id ?? seed;
  }

  /** All faults are over and nothing more happens: now the wanted state must be reached. */
  async settle(): Promise<void> {
    this.cluster.faults.creates = [];
    this.cluster.faults.writes = 0;
    const runningBefore = this.#running();
    // First no pod begins to run, so that surplus pods can be deleted; then all do.
    await this.#rounds(12, 5_000, () => undefined);
    await this.#rounds(14, 3_000, ({ id }) => this.run(id));
    this.#checkConverged(runningBefore);
    this.#checkEnds();
    await this.#life.backend.stop();
    this.check();
  }

  /** @throws Violation the first one */
  check(): void {
    const [first] = this.#violations;
    if (first !== undefined) throw first;
  }

  async #rounds(count: number, milliseconds: number, onPod: (pod: ExecutorPod) => void): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      this.reap();
      for (const pod of this.cluster.pods) onPod(pod);
      this.deliver(Number.POSITIVE_INFINITY);
      if (round % 4 === 0) this.poll(0);
      await this.clock.advance(milliseconds);
    }
  }

  #begin(): Life {
    const { ExecutorPodsSnapshotsStore, KubernetesSchedulerBackend } = this.#library;
    const store = new ExecutorPodsSnapshotsStore({ clock: this.clock });
    const onError = (error: unknown): void => {
      if (!(error instanceof Error && error.message === "the API server is ill")) this.#violated(String(error));
    };
    const backend = new KubernetesSchedulerBackend({
      ...{ store, pods: this.cluster, clock: this.clock, onError },
      ...{ allocator: ALLOCATOR, lifecycle: LIFECYCLE, parallelRequests: 2 },
    });
    const exits: ExecutorExit[] = [];
    backend.onExecutorRemoved((exit) => {
      this.#checkExit(exit, exits);
      exits.push(exit);
      this.#life.registered.delete(exit.id);
    });
    backend.requestTotalExecutors(this.#targets);
    backend.start();
    return {
      ...{ store, backend, exits, version: 0 },
      ...{
        heardOf: new Set(),
        requested: new Map(),
        endShown: new Set(),
        deletionAsked: new Set(),
        told: new Map(),
        registered: new Map(),
      },
    };
  }

  #pod(id: ExecutorId): ExecutorPod | undefined {
    return this.cluster.pods.find((pod) => pod.id === id);
  }

  #show(event: ClusterEvent): void {
    this.#lastEvent = event;
    this.#life.version = Math.max(this.#life.version, event.version);
    this.#heard(event.pod);
    if (event.type === "updated") this.#life.store.updatePod(event.pod);
    else this.#life.store.removePod(event.pod);
  }

  #isFresh({ at }: ClusterEvent): boolean {
    return this.clock.now() - at < LIFECYCLE.removedCacheMs;
  }

  #heard({ id, phase }: ExecutorPod): void {
    const { heardOf, requested, endShown } = this.#life;
    heardOf.add(id);
    requested.delete(id);
    if (phase === "failed" || phase === "succeeded") endShown.add(id);
  }

  /**
   * Checks that there are never more executors than wanted, as far as could be known at the time, and never more pending than
   * allowed.
   */
  #created(id: ExecutorId, profileId: number): void {
    const { requested, registered, heardOf, store } = this.#life;
    const now = this.clock.now();
    const shown = [...store.last.pods.values()].filter((pod) => this.#isShownAlive(pod));
    const unseen = [...requested].filter(([, request]) => this.#isAwaited(request));
    const registeredUnseen = [...registered].filter(([other]) => !heardOf.has(other));
    const known = [
      ...shown.map((pod) => ({ profileId: pod.profileId, isPending: pod.phase === "pending" })),
      ...[...unseen, ...registeredUnseen].map(([, request]) => ({ profileId: request.profileId, isPending: true })),
    ];
    const own = known.filter((one) => one.profileId === profileId);
    const pending = known.filter(({ isPending }) => isPending).length;
    const ownPending = own.filter(({ isPending }) => isPending).length;
    const target = this.#targets.get(profileId) ?? 0;
    if (own.length >= target) {
      this.#violated(`executor ${id} of profile ${profileId} is one of ${own.length + 1}, wanted: ${target}`);
    }
    if (pending >= ALLOCATOR.maxPendingPods) this.#violated(`executor ${id} is pending beside ${pending} others`);
    if (ownPending >= ALLOCATOR.maxPendingPodsPerProfile) {
      this.#violated(`executor ${id} is pending beside ${ownPending} others of its profile`);
    }
    if (requested.has(id) || this.#pod(id) !== undefined) this.#violated(`id ${id} is given twice`);
    // A refusal is an answer, so nothing is expected then.
    if (this.cluster.faults.creates[0] !== "refused") requested.set(id, { profileId, at: now });
  }

  #isAwaited(request: { readonly at: number } | undefined): boolean {
    return request !== undefined && this.clock.now() - request.at <= ALLOCATOR.podCreationTimeoutMs;
  }

  #isShownAlive({ id, phase }: ExecutorPod): boolean {
    return phase === "running" || (phase === "pending" && !this.#life.deletionAsked.has(id));
  }

  /** Checks that no working executor is deleted, unless it was told to stop, or was not seen since it was requested. */
  #deleted(id: ExecutorId, pod: ExecutorPod | undefined): void {
    const { told, deletionAsked, heardOf, requested } = this.#life;
    deletionAsked.add(id);
    requested.delete(id);
    const works = pod?.phase === "running" && heardOf.has(id);
    if (works && !told.has(id)) this.#violated(`executor ${id} is deleted although it works`);
  }

  #checkExit(exit: ExecutorExit, before: readonly ExecutorExit[]): void {
    const { id, kind } = exit;
    if (before.some((other) => other.id === id)) this.#violated(`the end of executor ${id} is told twice`);
    const pod = this.#pod(id);
    const isAlive = pod?.phase === "pending" || (pod?.phase === "running" && !pod.deleting);
    if (isAlive) this.#violated(`executor ${id} is told to be ${kind}, and lives`);
    if (exit.causedByApp && !this.#ended.has(id)) this.#violated(`executor ${id} is blamed for its end`);
    const { endShown } = this.#life;
    const told = this.#life.told.get(id);
    if (endShown.has(id) && (kind === "deleted" || kind === "missing")) {
      this.#violated(`executor ${id} has ended, and is told to be ${kind}`);
    }
    const isOnRequest = kind === "killed" || kind === "decommissioned";
    if (isOnRequest ? kind !== told : told !== undefined) {
      this.#violated(`executor ${id} was ${told ?? "not sent off"}, and is told to be ${kind}`);
    }
  }

  #violated(message: string): void {
    this.#violations.push(new Violation(message));
  }

  #running(): Map<number, number> {
    const works = ({ id, phase, deleting }: ExecutorPod): boolean =>
      phase === "running" && !deleting && !this.#life.told.has(id);
    return new Map(
      PROFILES.map((profile) => [
        profile,
        this.cluster.pods.filter((pod) => pod.profileId === profile && works(pod)).length,
      ]),
    );
  }

  #checkConverged(runningBefore: ReadonlyMap<number, number>): void {
    const idle = this.cluster.pods.filter(({ phase }) => phase !== "running");
    if (idle.length > 0) this.#violated(`${idle.map(({ id, phase }) => `${id} is ${phase}`).join(", ")} in the end`);
    for (const [profileId, running] of this.#running()) {
      const wanted = Math.max(this.#targets.get(profileId) ?? 0, runningBefore.get(profileId) ?? 0);
      if (running !== wanted) this.#violated(`${running} executors of profile ${profileId} in the end, not ${wanted}`);
    }
  }

  #checkEnds(): void {
    const { exits, heardOf, registered } = this.#life;
    for (const id of new Set([...heardOf, ...registered.keys()])) {
      const isTold = exits.some((exit) => exit.id === id);
      const lives = this.#pod(id) !== undefined;
      if (isTold === lives)
        this.#violated(`executor ${id} ${lives ? "lives, and its end is told" : "is gone, and nobody is told"}`);
    }
  }
}

/** A rule that does not hold. */
export class Violation extends Error {}
