import type { Condition } from "@kindling/kube-objects";
import { setCondition } from "../objects/conditions.ts";
import type { Node, Taint } from "../objects/core.ts";
import { type Pod, isFinished } from "../objects/pod.ts";
import { matchesTaint } from "../objects/taints.ts";
import { QueueController } from "./queue-controller.ts";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";
const OWN_TAINTS = new Set([NOT_READY, UNREACHABLE]);
const SOURCE = { component: "taint-eviction-controller" };

/** Taints nodes that are not ready, evicts pods that do not tolerate this, and deletes the pods of nodes that are gone. */
export class NodeLifecycleController extends QueueController {
  readonly #evictions = new Map<string, () => void>();

  override start(): void {
    const { store } = this.context.api;
    this.follow(store.collection("nodes"), ({ object }) => this.queue.add(object.object.metadata.name));
    this.follow(store.collection("pods"), ({ type, object, previous }) => {
      const pod = object.object as Pod;
      const node = pod.spec.nodeName ?? "";
      const assigned = (previous?.object as Pod | undefined)?.spec.nodeName !== pod.spec.nodeName;
      if (type === "DELETED") this.#cancel(pod.metadata.uid);
      else if (node !== "" && assigned) this.#evictIfTainted(pod);
    });
    for (const { object } of store.collection("nodes").list()) this.queue.add(object.metadata.name);
  }

  override stop(): void {
    super.stop();
    for (const cancel of this.#evictions.values()) cancel();
  }

  protected override sync(name: string): void {
    const node = this.#node(name);
    if (node === undefined) {
      this.#removeOrphans(name);
      return;
    }
    const ready = node.status.conditions?.find(({ type }) => type === "Ready")?.status;
    const key = ready === "True" ? undefined : ready === "Unknown" ? UNREACHABLE : NOT_READY;
    this.#setTaints(node, key);
    for (const pod of this.#podsOn(name)) {
      if (key !== undefined) this.#markNotReady(pod);
      this.#evictIfTainted(pod);
    }
  }

  #setTaints(node: Node, key: string | undefined): void {
    const current = node.spec.taints ?? [];
    const others = current.filter((taint) => !OWN_TAINTS.has(taint.key));
    const own: Taint[] =
      key === undefined
        ? []
        : (["NoSchedule", "NoExecute"] as const).map(
            (effect) => current.find((taint) => taint.key === key && taint.effect === effect) ?? { key, effect },
          );
    const taints = [...others, ...own];
    if (taints.length === current.length && taints.every((taint) => current.includes(taint))) return;
    this.writer.update(this.context.api.types.builtIn("nodes"), node.metadata, (object) => {
      const { taints: _, ...spec } = (object as Node).spec;
      return { ...object, spec: taints.length === 0 ? spec : { ...spec, taints } };
    });
  }

  #markNotReady(pod: Pod): void {
    const { types, clock } = this.context.api;
    const ready = pod.status.conditions?.find(({ type }) => type === "Ready");
    if (ready === undefined || ready.status !== "True") return;
    const condition: Condition = { ...ready, status: "False" };
    this.writer.updateStatus<Pod>(types.builtIn("pods"), pod.metadata, ({ status }) => ({
      ...status,
      conditions: setCondition(status.conditions ?? [], condition, clock.now()),
    }));
  }

  #evictIfTainted(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const taints = (this.#node(pod.spec.nodeName ?? "")?.spec.taints ?? []).filter(
      ({ effect }) => effect === "NoExecute",
    );
    if (taints.length === 0 || deletionTimestamp !== undefined || isFinished(pod)) {
      this.#cancel(uid);
      return;
    }
    const seconds = toleratedSeconds(pod, taints);
    if (seconds === Infinity || this.#evictions.has(uid)) return;
    this.#evictions.set(
      uid,
      this.context.api.clock.after(seconds * 1000, () => this.#evict(pod)),
    );
  }

  #evict(pod: Pod): void {
    const { types, clock } = this.context.api;
    const { namespace = "", name, uid } = pod.metadata;
    this.#evictions.delete(uid);
    const type = types.builtIn("pods");
    const condition: Condition = {
      type: "DisruptionTarget",
      status: "True",
      lastProbeTime: null,
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
    };
    this.writer.updateStatus<Pod>(type, pod.metadata, ({ status }) => ({
      ...status,
      conditions: setCondition(status.conditions ?? [], condition, clock.now()),
    }));
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    this.context.events.record({
      about: pod,
      type: "Normal",
      reason: "TaintManagerEviction",
      message,
      source: SOURCE,
    });
    this.writer.delete(type, pod.metadata, { preconditions: { uid } });
  }

  #cancel(uid: string): void {
    this.#evictions.get(uid)?.();
    this.#evictions.delete(uid);
  }

  #removeOrphans(node: string): void {
    const type = this.context.api.types.builtIn("pods");
    for (const { metadata } of this.#podsOn(node)) {
      this.writer.delete(type, metadata, { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
    }
  }

  #node(name: string): Node | undefined {
    return this.context.api.store.collection("nodes").get(undefined, name)?.object as Node | undefined;
  }

  #podsOn(node: string): Pod[] {
    return [...this.context.api.store.collection("pods").list()]
      .map(({ object }) => object as Pod)
      .filter(({ spec }) => spec.nodeName === node);
  }
}

/** How long a pod tolerates all of the taints. */
function toleratedSeconds({ spec }: Pod, taints: readonly Taint[]): number {
  let least = Infinity;
  for (const taint of taints) {
    const matching = (spec.tolerations ?? []).filter((toleration) => matchesTaint(toleration, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching) least = Math.min(least, tolerationSeconds ?? Infinity);
  }
  return Math.max(0, least);
}
