import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { type Cache, startCache } from "@kindling/controller";
import type { KubeClient, KubeError, ResourceType } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  add,
  type Capacity,
  clusterNode,
  type ClusterNode,
  namespaceQuota,
  type NamespaceQuota,
} from "@kindling/admission";
import type { Node, ResourceQuota } from "kubernetes-types/core/v1.js";
import type { Log } from "@kindling/service";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { CapacitySetting } from "../../config/capacity-setting.ts";
import { OCCUPANTS, OtherPods, type OtherPod } from "./other-pods.ts";
import { PodShapes } from "./pod-shapes.ts";
import type { Usage } from "./usage.ts";

export interface ClusterRoomOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: Log;
  readonly capacity: CapacitySetting;
  /** The namespaces whose drivers are served; empty for all. */
  readonly namespaces: readonly string[];
  /** Called after something has changed. */
  readonly onChange: () => void;
}

type What = "nodes" | "pods" | "resourcequotas";

interface Watched {
  readonly what: What;
  readonly cache: Pick<Cache<KubeObject>, "isSynced" | "isRefused" | "stop" | "subscribe">;
}

const HINTS: Readonly<Record<What, string>> = {
  nodes:
    "let the gateway's account list and watch nodes, or set capacity to amounts such as cpu=64,memory=256Gi, or to unlimited",
  pods: "let the gateway's account list and watch pods of all namespaces: until then, what other pods use counts as free",
  resourcequotas:
    "let the gateway's account list and watch resourcequotas: until then, executors that exceed a quota are tried in vain",
};

/**
 * What limits applications besides their queues: nodes (with what others use there), and quotas. There is one watch of nodes
 * and one of pods, if the capacity is that of the nodes, and one watch of quotas for each namespace.
 */
export class ClusterRoom {
  /** Of all pods. */
  readonly shapes: PodShapes = new PodShapes();
  readonly #options: ClusterRoomOptions;
  readonly #watched: readonly Watched[];
  readonly #nodes: Cache<KubeObject> | undefined;
  readonly #quotas: Cache<KubeObject>;
  readonly #others: OtherPods;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ClusterRoomOptions) {
    this.#options = options;
    const { namespaces, capacity } = options;
    this.#others = new OtherPods(this.shapes, (namespace) => namespaces.length === 0 || namespaces.includes(namespace));
    this.#quotas = this.#objects("resourcequotas", UPSTREAM.resourcequotas, namespaces);
    // Without the nodes, no room is known. Without the rest, the cluster itself refuses what is too much.
    this.#nodes = capacity.kind === "nodes" ? this.#objects("nodes", UPSTREAM.nodes, []) : undefined;
    this.#watched = [
      { what: "resourcequotas", cache: this.#quotas },
      ...(this.#nodes === undefined
        ? []
        : ([
            { what: "nodes", cache: this.#nodes },
            { what: "pods", cache: this.#watchOthers() },
          ] as const)),
    ];
    for (const { cache } of this.#watched) {
      cache.subscribe({
        changed: () => this.#changed(),
        listed: () => this.#changed(),
        refused: () => this.#changed(),
      });
    }
  }

  /** Why no plan can be made yet: facts that it needs are missing. */
  get missing(): string | undefined {
    const missing = this.#watched.find(({ cache }) => !cache.isSynced);
    if (missing === undefined) return undefined;
    const { what, cache } = missing;
    return cache.isRefused ? `the gateway may not see ${what}: ${HINTS[what]}` : `${what} have not been listed yet`;
  }

  /** Resolves when nothing is missing any more. Without the right to see nodes, it never resolves. */
  async synced(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#wakeIfKnown();
    });
  }

  /**
   * @param usage what Spark's pods that belong to no known application use on nodes
   * @param backoffUntil the nodes that get no new pods, and until when
   */
  capacity(usage: Usage, backoffUntil: ReadonlyMap<string, number>): Capacity {
    const { capacity } = this.#options;
    if (capacity.kind === "configured") return capacity;
    const nodes: ClusterNode[] = [];
    for (const node of this.#nodes?.values() ?? []) {
      const { name } = node.metadata;
      const usedByOthers = add(this.#others.usage.on(name), usage.on(name));
      nodes.push(clusterNode(node as unknown as Node, { usedByOthers, backoffUntil: backoffUntil.get(name) }));
    }
    return { kind: "nodes", nodes };
  }

  quotas(): readonly NamespaceQuota[] {
    return [...this.#quotas.values()].flatMap((quota) => namespaceQuota(quota as unknown as ResourceQuota) ?? []);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watched.map(({ cache }) => cache.stop()));
  }

  #objects(what: What, type: ResourceType<KubeObject>, namespaces: readonly string[]): Cache<KubeObject> {
    const { client, clock, random } = this.#options;
    return startCache<KubeObject, KubeObject>(client, type, {
      ...{ namespaces, clock, random, isOptional: what !== "nodes" },
      keep: withoutManagedFields,
      identityOf: objectIdentity,
      onError: (error, _namespace, isRefusedAgain) => this.#failed(what, error, isRefusedAgain),
    });
  }

  #watchOthers(): Cache<OtherPod> {
    const { client, clock, random, namespaces } = this.#options;
    const cache = startCache<KubeObject, OtherPod>(client, UPSTREAM.pods, {
      ...{ clock, random, isOptional: true },
      fieldSelector: OCCUPANTS,
      // If all namespaces are served, pods with the label are watched anyway.
      ...(namespaces.length === 0 && { labelSelector: `!${SPARK_APP_ID_LABEL}` }),
      keep: this.#others.keep,
      identityOf: objectIdentity,
      onError: (error, _namespace, isRefusedAgain) => this.#failed("pods", error, isRefusedAgain),
    });
    cache.subscribe({ changed: (change) => this.#others.count(change) });
    return cache;
  }

  #failed(what: What, error: KubeError, isRefusedAgain: boolean): void {
    if (isRefusedAgain || error.kind !== "status" || error.status !== 403) return;
    this.#options.log[what === "nodes" ? "error" : "warn"](`the gateway may not see ${what}`, {
      error: error.message,
      hint: HINTS[what],
    });
  }

  #changed(): void {
    this.#wakeIfKnown();
    this.#options.onChange();
  }

  #wakeIfKnown(): void {
    if (this.missing === undefined) for (const wake of this.#waiting.splice(0)) wake();
  }
}
