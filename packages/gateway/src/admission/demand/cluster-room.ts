import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { type Cache, startCache, type Watch, watch } from "@kindling/controller";
import type { KubeClient, KubeError, ResourceType } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  add,
  type Capacity,
  classRefusal,
  clusterNode,
  type ClusterNode,
  fits,
  isOfClass,
  limitRefusal,
  mayBePlaced,
  namespaceQuota,
  type NamespaceQuota,
  type PodShape,
  subtract,
} from "@kindling/admission";
import type { Node, ResourceQuota } from "kubernetes-types/core/v1.js";
import type { Log } from "@kindling/service";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { CapacitySetting } from "../../config/capacity-setting.ts";
import { departureOf } from "../nodes-to-come/departure.ts";
import { isBecomingReady, withoutFirstTaints } from "../nodes-to-come/coming-nodes.ts";
import type { ConfiguredClass } from "../../config/queues/node-class-fields.ts";
import type { NodeFacts } from "../nodes-to-come/node-facts.ts";
import { type AutoscalerSource, NodesToCome } from "../nodes-to-come/nodes-to-come.ts";
import { OCCUPANTS, OtherPods, type OtherPod } from "./other-pods.ts";
import { PodShapes } from "./pod-shapes.ts";
import type { Usage } from "./usage.ts";

export interface ClusterRoomOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: Log;
  readonly capacity: CapacitySetting;
  /** The classes of nodes that the administrator has written down. */
  readonly nodeClasses: () => readonly ConfiguredClass[];
  /** The namespaces whose drivers are served; empty for all. */
  readonly namespaces: readonly string[];
  /** Called after something has changed. */
  readonly onChange: () => void;
}

type What = "nodes" | "pods" | "resourcequotas" | AutoscalerSource;

interface Watched {
  readonly what: What;
  readonly cache: Pick<Cache<KubeObject>, "isSynced" | "isRefused" | "stop" | "subscribe">;
}

const HINTS: Readonly<Record<What, string>> = {
  nodes:
    "let the gateway's account list and watch nodes, or set capacity to amounts such as cpu=64,memory=256Gi, or to unlimited",
  nodepools:
    "let the gateway's account list and watch nodepools of karpenter.sh: until then, no nodes are expected of Karpenter",
  nodeclaims:
    "let the gateway's account list and watch nodeclaims of karpenter.sh: until then, nodes that Karpenter has ordered are seen late",
  configmaps:
    "let the gateway's account get, list and watch the ConfigMap cluster-autoscaler-status of kube-system: until then, no nodes are expected of the cluster-autoscaler",
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
  /** Undefined unless the capacity is `auto`. */
  readonly #toCome: NodesToCome | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ClusterRoomOptions) {
    this.#options = options;
    const { namespaces, capacity } = options;
    this.#others = new OtherPods(this.shapes, (namespace) => namespaces.length === 0 || namespaces.includes(namespace));
    this.#quotas = this.#objects("resourcequotas", UPSTREAM.resourcequotas, namespaces);
    // Without the nodes, no room is known. Without the rest, the cluster itself refuses what is too much.
    const areNodesNeeded = capacity.kind === "auto" || capacity.kind === "nodes";
    this.#nodes = areNodesNeeded ? this.#objects("nodes", UPSTREAM.nodes, []) : undefined;
    this.#toCome = capacity.kind === "auto" ? this.#nodesToCome() : undefined;
    this.#watched = [
      { what: "resourcequotas", cache: this.#quotas },
      ...(this.#nodes === undefined
        ? []
        : ([
            { what: "nodes", cache: this.#nodes },
            { what: "pods", cache: this.#watchOthers() },
          ] as const)),
      ...(this.#toCome?.caches ?? []),
    ];
    this.#nodes?.subscribe({ changed: () => this.#toCome?.factsChanged() });
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
   * @param usage what Spark's pods that belong to no known application use on nodes; asked for only if nodes count
   * @param backoffUntil the nodes that get no new pods, and until when
   */
  capacity(usage: () => Usage, backoffUntil: ReadonlyMap<string, number>): Capacity {
    const { capacity } = this.#options;
    if (capacity.kind === "configured") return capacity;
    if (capacity.kind === "kueue") return { kind: "configured", total: {} };
    const nodes = this.#clusterNodes(usage(), backoffUntil);
    return { kind: "nodes", nodes, classes: this.#toCome?.classes(() => this.#facts()) };
  }

  /** The names of the nodes, for controllers; none if the capacity is not that of nodes. */
  get nodeNames(): Watch {
    return this.#nodes === undefined ? () => () => undefined : watch(this.#nodes, ({ metadata }) => [metadata.name]);
  }

  node(name: string): KubeObject | undefined {
    return this.#nodes?.get(name);
  }

  /** Called when the configured classes of nodes may have changed. */
  look(): void {
    this.#toCome?.factsChanged();
  }

  /**
   * The classes that may still add a node for this pod; empty if none may, `undefined` if no nodes are expected at all (the
   * capacity is not `auto`).
   */
  classesFor(pod: PodShape): readonly string[] | undefined {
    const classes = this.#toCome?.classes(() => this.#facts());
    return classes
      ?.filter((one) => (classRefusal(pod, one) ?? limitRefusal(pod.requests, 1, one)) === undefined)
      .map(({ name }) => name);
  }

  /**
   * Whether a pod can have a node at present: a class may add one, or a node has room.
   *
   * @param usage what Spark's pods use on nodes; asked for only if no class may add a node
   */
  mayHaveNode(pod: PodShape, usage: () => Usage): boolean {
    if ((this.classesFor(pod) ?? []).length > 0 || this.#nodes === undefined) return true;
    return this.#clusterNodes(usage(), new Map()).some(
      (node) =>
        !node.unschedulable &&
        mayBePlaced(pod.placement, node) &&
        fits(pod.requests, subtract(node.allocatable, node.usedByOthers)),
    );
  }

  /** Whether a node that may take this pod has been ordered. */
  isNodeComing(pod: PodShape): boolean {
    const now = this.#options.clock.now();
    // Many pods may wait for many nodes, but few nodes are young.
    const young = [...(this.#nodes?.values() ?? [])].filter((node) => isBecomingReady(node, now));
    const coming = this.#toCome?.coming(() => this.#facts()) ?? [];
    return [...young.map((node) => this.#clusterNode(node, {}, now)), ...coming].some((node) =>
      mayBePlaced(pod.placement, node),
    );
  }

  /**
   * How many nodes of the classes have only pods of DaemonSets: an autoscaler may take them away.
   *
   * @param isUsed whether one of Spark's pods is on a node
   */
  idleNodes(isUsed: (node: string) => boolean): number {
    const classes = this.#toCome?.classes(() => this.#facts()) ?? [];
    return [...(this.#nodes?.values() ?? [])].filter(
      ({ metadata: { name, labels = {} } }) =>
        classes.some((one) => isOfClass(labels, one)) && this.#others.areOnlyDaemonsOn(name) && !isUsed(name),
    ).length;
  }

  /** No node came for this pod: of the classes that would take it, none is expected for such pods for a time. */
  noNodeCame(pod: PodShape): void {
    for (const name of this.classesFor(pod) ?? []) this.#toCome?.avoidances.note(name, pod);
    this.#changed();
  }

  #clusterNodes(usage: Usage, backoffUntil: ReadonlyMap<string, number>): readonly ClusterNode[] {
    const nodes: ClusterNode[] = [];
    const coming = this.#toCome?.coming(() => this.#facts());
    // The NodeClaim of a node knows more than the node does, until the node takes pods.
    const unfinished = new Set(coming?.map((node) => node.name));
    const now = this.#options.clock.now();
    for (const node of this.#nodes?.values() ?? []) {
      const { name } = node.metadata;
      if (unfinished.has(name)) continue;
      const usedByOthers = add(this.#others.usage.on(name), usage.on(name));
      nodes.push(this.#clusterNode(node, { usedByOthers, backoffUntil: backoffUntil.get(name) }, now));
    }
    return [...nodes, ...(coming ?? [])];
  }

  #clusterNode(
    node: KubeObject,
    { usedByOthers = {}, backoffUntil }: Partial<Pick<ClusterNode, "usedByOthers" | "backoffUntil">>,
    now: number,
  ): ClusterNode {
    const seen = clusterNode(node as unknown as Node, { usedByOthers, backoffUntil });
    // Pods that tolerate everything would still be placed there.
    const known = departureOf(node) === undefined ? seen : { ...seen, unschedulable: true };
    return this.#toCome !== undefined && isBecomingReady(node, now) ? withoutFirstTaints(known) : known;
  }

  #facts(): NodeFacts {
    return { nodes: [...(this.#nodes?.values() ?? [])], daemonsOn: (node) => this.#others.daemons.on(node) };
  }

  #nodesToCome(): NodesToCome {
    const { client, clock, random, nodeClasses } = this.#options;
    return new NodesToCome({
      ...{ client, clock, random, configured: nodeClasses },
      onError: (what, error, isRefusedAgain) => this.#failed(what, error, isRefusedAgain),
    });
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
    cache.subscribe({
      changed: (change) => {
        this.#others.count(change);
        if (change.record.isDaemon) this.#toCome?.factsChanged();
      },
    });
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
