import type { KubeObject } from "@kindling/kube-objects";
import { KEEPER_KEPT, KEEPER_LABEL, KEEPER_LEAVING } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { textAt } from "../json/fields.ts";
import { hasShuffleServer, hasSparkBegun, hasSparkEnded, isServing } from "../spark/keeper.ts";
import { UPSTREAM } from "./upstream-types.ts";

export interface LetGoOptions {
  readonly client: KubeClient;
  /** Whether a node is announced to go. */
  readonly isLeaving: (node: string) => boolean;
}

/** A pod in the cluster, by its name and its uid there. */
export interface PodInCluster {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/**
 * Lets executors go without their pods, where these can go on serving shuffle files. The pod gets a label, and the shuffle server
 * in it reads the label. If Spark still runs, the server answers the kubelet's liveness probe of Spark's container with a
 * failure, and the kubelet ends that container alone: with its preStop hook and its grace period, as when a pod is deleted.
 */
export class LetGo {
  readonly #options: LetGoOptions;

  constructor(options: LetGoOptions) {
    this.#options = options;
  }

  /** Whether the pod can stay when its executor goes: it serves files, and its node stays. */
  canStay(pod: KubeObject): boolean {
    const { deletionTimestamp } = pod.metadata;
    const node = textAt(pod, "spec", "nodeName");
    if (deletionTimestamp !== undefined || node === undefined || !hasShuffleServer(pod)) return false;
    return isServing(pod) && hasSparkBegun(pod) && !this.#options.isLeaving(node);
  }

  /**
   * The driver wants the executor no more. Returns whether the executor has ended, so that its pod is a keeper from now on; if not,
   * it is being ended.
   *
   * @throws KubeError
   */
  async byDriver(pod: KubeObject, inCluster: PodInCluster): Promise<boolean> {
    const hasEnded = hasSparkEnded(pod);
    await this.#label(inCluster, hasEnded ? KEEPER_KEPT : KEEPER_LEAVING);
    return hasEnded;
  }

  /**
   * The executor is to end for another reason. Its driver sees that it ends, and then lets it go.
   *
   * @throws KubeError
   */
  async end({ metadata: { name, namespace = "", uid } }: KubeObject): Promise<void> {
    await this.#label({ name, namespace, uid }, KEEPER_LEAVING);
  }

  async #label({ name, namespace, uid }: PodInCluster, value: string): Promise<void> {
    // With the uid the API server refuses to touch another pod of the name.
    const body = { metadata: { uid, labels: { [KEEPER_LABEL]: value } } };
    await this.#options.client.patch(UPSTREAM.pods, name, "merge", body, { namespace });
  }
}
