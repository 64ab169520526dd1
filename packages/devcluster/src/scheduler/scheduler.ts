import { objectKey } from "@kindling/kube-objects";
import { bindPod } from "../subresources/bind.ts";
import { ApiError } from "@kindling/api-server";
import { controlPlane } from "../auth/cluster-users.ts";
import type { Controller, ControllerContext } from "../controllers/controller.ts";
import { follow } from "../controllers/follow.ts";
import { SystemWriter } from "../controllers/system-writer.ts";
import { setCondition } from "../objects/conditions.ts";
import type { Node, PersistentVolumeClaim } from "../objects/core.ts";
import { type Pod, isFinished } from "../objects/pod.ts";
import { type Decision, decide } from "./decide.ts";
import { NodeRoom } from "./node-room.ts";

const NAME = "default-scheduler";
const SOURCE = { component: NAME };
/** Pods are placed in portions, so that requests are answered in between. */
const PORTION = 100;

/** Places pods on nodes: the highest priority first, then the oldest. */
export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #writer: SystemWriter;
  readonly #rooms = new Map<string, NodeRoom>();
  readonly #placed = new Map<string, string>();
  /** Pods to place, by key, and pods that fit nowhere at the moment. */
  readonly #queue = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #scheduled = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#writer = new SystemWriter(context.api, "kube-scheduler");
  }

  start(): void {
    const { store } = this.#context.api;
    const [pods, nodes] = [store.collection("pods"), store.collection("nodes")];
    this.#stops.push(
      follow(nodes, ({ type, object }) => this.#observeNode(object.object as Node, type === "DELETED")),
      follow(pods, ({ type, object }) => this.#observePod(object.object as Pod, type === "DELETED")),
      // A pod may have waited for a claim that is now created or bound.
      follow(store.collection("persistentvolumeclaims"), () => this.#retryWaiting()),
    );
    for (const { object } of nodes.list()) this.#observeNode(object as Node, false);
    for (const { object } of pods.list()) this.#observePod(object as Pod, false);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.clear();
  }

  #observeNode(node: Node, gone: boolean): void {
    const { name } = node.metadata;
    const room = this.#rooms.get(name);
    if (gone) this.#rooms.delete(name);
    else if (room === undefined) this.#addRoom(node);
    else room.current = node;
    this.#retryWaiting();
  }

  #addRoom(node: Node): void {
    const room = new NodeRoom(node);
    this.#rooms.set(node.metadata.name, room);
    for (const { object } of this.#context.api.store.collection("pods").list()) {
      const pod = object as Pod;
      if (pod.spec.nodeName === node.metadata.name && !isFinished(pod)) room.add(pod);
    }
  }

  #observePod(pod: Pod, gone: boolean): void {
    const { namespace, name, uid, deletionTimestamp } = pod.metadata;
    const key = objectKey(namespace, name);
    const node = pod.spec.nodeName ?? "";
    if (gone || isFinished(pod)) {
      this.#queue.delete(key);
      this.#waiting.delete(key);
      this.#release(uid);
    } else if (node !== "") {
      this.#waiting.delete(key);
      if (!this.#placed.has(uid)) {
        this.#placed.set(uid, node);
        this.#rooms.get(node)?.add(pod);
      }
    } else if (deletionTimestamp === undefined && isOurs(pod) && !this.#waiting.has(key)) {
      this.#queue.add(key);
      this.#schedule();
    }
  }

  #release(uid: string): void {
    const node = this.#placed.get(uid);
    if (node === undefined) return;
    this.#placed.delete(uid);
    this.#rooms.get(node)?.remove(uid);
    this.#retryWaiting();
  }

  #retryWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const key of this.#waiting) this.#queue.add(key);
    this.#waiting.clear();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const pod of this.#nextPods()) this.#place(pod);
      if (this.#queue.size > 0) this.#schedule();
    });
  }

  #nextPods(): Pod[] {
    const pods = this.#context.api.store.collection("pods");
    const found: Pod[] = [];
    for (const key of this.#queue) {
      const stored = pods.getByKey(key);
      if (stored === undefined || (stored.object as Pod).spec.nodeName !== undefined) this.#queue.delete(key);
      else found.push(stored.object as Pod);
    }
    found.sort((a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0));
    return found.slice(0, PORTION);
  }

  #place(pod: Pod): void {
    const key = objectKey(pod.metadata.namespace, pod.metadata.name);
    this.#queue.delete(key);
    const missing = this.#missingClaim(pod);
    const decision = missing === undefined ? decide(pod, [...this.#rooms.values()]) : this.#waitFor(missing);
    try {
      if (decision.kind === "bind") this.#bind(pod, decision.node);
      else this.#wait(pod, decision.message);
    } catch (error) {
      // Another component was faster: the pod's next event will show it.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #waitFor(missing: string): Decision {
    return { kind: "wait", message: `0/${this.#rooms.size} nodes are available: ${missing}. not found` };
  }

  #bind(pod: Pod, node: string): void {
    const { namespace = "", name } = pod.metadata;
    const user = controlPlane("kube-scheduler");
    bindPod(this.#context.api, { namespace, name }, node, {
      user,
      manager: "kube-scheduler",
      dryRun: false,
      subresource: "",
    });
    this.#event(pod, "Normal", "Scheduled", `Successfully assigned ${namespace}/${name} to ${node}`, "Binding");
  }

  #wait(pod: Pod, message: string): void {
    this.#waiting.add(objectKey(pod.metadata.namespace, pod.metadata.name));
    this.#setUnschedulable(pod, message);
    this.#event(pod, "Warning", "FailedScheduling", message, "Scheduling");
  }

  #setUnschedulable(pod: Pod, message: string): void {
    const { api } = this.#context;
    const observed = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
    this.#writer.updateStatus<Pod>(api.types.builtIn("pods"), pod.metadata, (current) => ({
      ...current.status,
      conditions: setCondition(
        current.status.conditions ?? [],
        { type: "PodScheduled", status: "False", lastProbeTime: null, ...observed, reason: "Unschedulable", message },
        api.clock.now(),
      ),
    }));
  }

  #missingClaim({ metadata, spec }: Pod): string | undefined {
    const claims = this.#context.api.store.collection("persistentvolumeclaims");
    for (const { persistentVolumeClaim } of spec.volumes ?? []) {
      if (persistentVolumeClaim === undefined) continue;
      const { claimName } = persistentVolumeClaim;
      const claim = claims.get(metadata.namespace, claimName)?.object as PersistentVolumeClaim | undefined;
      if (claim === undefined) return `persistentvolumeclaim ${JSON.stringify(claimName)} not found`;
      if (claim.status.phase !== "Bound") return "pod has unbound immediate PersistentVolumeClaims";
    }
    return undefined;
  }

  #event(about: Pod, type: "Normal" | "Warning", reason: string, message: string, action: string): void {
    this.#context.events.record({ about, type, reason, message, source: SOURCE, action });
  }
}

function isOurs({ spec }: Pod): boolean {
  return spec.schedulerName === NAME && (spec.schedulingGates ?? []).length === 0;
}
