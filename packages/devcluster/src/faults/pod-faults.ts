import type { Condition } from "@kindling/kube-objects";
import type { Api } from "@kindling/api-server";
import { SystemWriter } from "../controllers/system-writer.ts";
import type { Kubelet } from "../kubelet/kubelet.ts";
import { setCondition } from "../objects/conditions.ts";
import type { Node } from "../objects/core.ts";
import type { Pod } from "../objects/pod.ts";
import { HollowRuntime } from "../runtime/hollow/hollow-runtime.ts";
import type { ContainerExit, Runtime } from "../runtime/runtime.ts";

/** A pod by name. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** Things that happen to pods and nodes, on command. */
export class PodFaults {
  readonly #api: Api;
  readonly #kubelet: Kubelet;
  readonly #runtime: Runtime;
  readonly #writer: SystemWriter;

  constructor(api: Api, kubelet: Kubelet, runtime: Runtime) {
    this.#api = api;
    this.#kubelet = kubelet;
    this.#runtime = runtime;
    this.#writer = new SystemWriter(api, "kubelet");
  }

  /** Fails the pulls of an image from now on; returns a function that stops this. Hollow pods only. */
  failImagePull(image: string, message?: string): () => void {
    return this.#hollow().failImage(image, message);
  }

  /** Delays all starts from now on; returns a function that stops this. Hollow pods only. */
  slowStart(milliseconds: number): () => void {
    return this.#hollow().slowStarts(milliseconds);
  }

  /** Kills a pod's containers, or one of them, as the kernel does when memory runs out. Hollow pods only. */
  outOfMemory(pod: PodName, container?: string): void {
    this.#hollow().outOfMemory(this.#pod(pod).metadata.uid, container);
  }

  /** Ends a pod's containers, or one of them, with an exit code. Hollow pods only. */
  exit(pod: PodName, exit: Omit<ContainerExit, "finishedAt">, container?: string): void {
    this.#hollow().exit(this.#pod(pod).metadata.uid, exit, container);
  }

  /** Evicts a pod as a node does when it runs out of a resource: the pod fails, and stays in the API. */
  evict(pod: PodName, message: string = "The node was low on resource: memory."): void {
    const { uid } = this.#pod(pod).metadata;
    this.#setDisruption(pod, "TerminationByKubelet", message);
    if (!this.#kubelet.failPod(uid, "Evicted", message))
      throw new Error(`pod ${pod.namespace}/${pod.name} does not run`);
  }

  /** Deletes a pod as the scheduler does to make room for one with a higher priority. */
  preempt(pod: PodName): void {
    this.#setDisruption(
      pod,
      "PreemptionByScheduler",
      "default-scheduler: preempting to accommodate a higher priority pod",
    );
    this.#writer.delete(this.#api.types.builtIn("pods"), pod);
  }

  /** Disconnects a node: it sends no more status, and its pods are evicted when their toleration time ends. */
  loseNode(name: string): void {
    this.#kubelet.loseNode(name);
    this.#setReady(name, {
      type: "Ready",
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
    });
  }

  /** Reconnects a lost node. */
  recoverNode(name: string): void {
    this.#setReady(name, READY);
    this.#kubelet.recoverNode(name);
  }

  #hollow(): HollowRuntime {
    if (this.#runtime instanceof HollowRuntime) return this.#runtime;
    throw new Error(`the runtime ${this.#runtime.name} cannot do this: only hollow pods do what they are told`);
  }

  #pod({ namespace, name }: PodName): Pod {
    const stored = this.#api.store.collection("pods").get(namespace, name);
    if (stored === undefined) throw new Error(`no pod ${name} in namespace ${namespace}`);
    return stored.object as Pod;
  }

  #setDisruption(pod: PodName, reason: string, message: string): void {
    const condition: Condition = { type: "DisruptionTarget", status: "True", lastProbeTime: null, reason, message };
    this.#writer.updateStatus<Pod>(this.#api.types.builtIn("pods"), pod, ({ status }) => ({
      ...status,
      conditions: setCondition(status.conditions ?? [], condition, this.#api.clock.now()),
    }));
  }

  #setReady(name: string, condition: Condition): void {
    this.#writer.updateStatus<Node>(this.#api.types.builtIn("nodes"), { name }, ({ status }) => ({
      ...status,
      conditions: setCondition(status.conditions ?? [], condition, this.#api.clock.now()),
    }));
  }
}

/** The condition of a healthy node. */
export const READY: Condition = {
  type: "Ready",
  status: "True",
  reason: "KubeletReady",
  message: "kubelet is posting ready status",
};
