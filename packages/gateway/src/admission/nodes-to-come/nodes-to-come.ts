import type { KubeObject } from "@kindling/kube-objects";
import { type Cache, startCache } from "@kindling/controller";
import type { KubeClient, KubeError, ResourceType } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { ClusterNode, NodeClass } from "@kindling/admission";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import { Avoidances } from "./avoidances.ts";
import type { ConfiguredClass } from "../../config/queues/node-class-fields.ts";
import { isOnItsWay, nodesOfClaims } from "./coming-nodes.ts";
import { classesOfConfiguration } from "./configured-classes.ts";
import type { NodeFacts } from "./node-facts.ts";
import { classesOfNodeGroups } from "./node-groups.ts";
import { classesOfNodePools } from "./node-pools.ts";

export type AutoscalerSource = "nodepools" | "nodeclaims" | "configmaps";

export interface NodesToComeOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** The classes that the administrator has written down. */
  readonly configured: () => readonly ConfiguredClass[];
  /** Told of faults; a kind that the cluster does not have is none. */
  readonly onError: (what: AutoscalerSource, error: KubeError, isRefusedAgain: boolean) => void;
}

/** The status of the cluster-autoscaler: `--status-config-map-name` and `--namespace` have these defaults. */
const STATUS = { namespace: "kube-system", name: "cluster-autoscaler-status" };

/** What autoscalers say of the nodes that they may still add, and of those that they have ordered. */
export class NodesToCome {
  readonly avoidances: Avoidances;
  readonly #options: NodesToComeOptions;
  readonly #pools: Cache<KubeObject>;
  readonly #claims: Cache<KubeObject>;
  readonly #status: Cache<KubeObject>;
  /** The classes by the facts as they were last; undefined if these have changed since. There are many plans between changes. */
  #known: readonly NodeClass[] | undefined;

  constructor(options: NodesToComeOptions) {
    this.#options = options;
    this.avoidances = new Avoidances(options.clock);
    this.#pools = this.#objects("nodepools", UPSTREAM.nodepools);
    this.#claims = this.#objects("nodeclaims", UPSTREAM.nodeclaims);
    this.#status = this.#objects("configmaps", UPSTREAM.configmaps, {
      namespaces: [STATUS.namespace],
      fieldSelector: `metadata.name=${STATUS.name}`,
    });
    for (const { cache } of this.caches) cache.subscribe({ changed: () => this.factsChanged() });
  }

  /** Called when nodes, what DaemonSets use there, or the configured classes have changed. */
  factsChanged(): void {
    this.#known = undefined;
  }

  /** All caches, by what they watch. A plan can be made without them if they are refused. */
  get caches(): readonly { readonly what: AutoscalerSource; readonly cache: Cache<KubeObject> }[] {
    return [
      { what: "nodepools", cache: this.#pools },
      { what: "nodeclaims", cache: this.#claims },
      { what: "configmaps", cache: this.#status },
    ];
  }

  /**
   * The classes that may still add nodes: those that the administrator has written down, then the NodePools of Karpenter,
   * then the groups of the cluster-autoscaler. If there are any of the first, these groups are left out: they would be counted
   * twice.
   */
  classes(facts: () => NodeFacts): readonly NodeClass[] {
    this.#known ??= this.#classes(facts());
    return this.#known.map((one) => ({ ...one, avoided: this.avoidances.of(one.name) }));
  }

  #classes(facts: NodeFacts): readonly NodeClass[] {
    const configured = classesOfConfiguration(this.#options.configured(), facts.nodes);
    const [status] = this.#status.values();
    return [
      ...configured,
      ...classesOfNodePools([...this.#pools.values()], [...this.#claims.values()], facts),
      ...(configured.length > 0 ? [] : classesOfNodeGroups(status, facts)),
    ];
  }

  /** The nodes that have been ordered and take no pods yet. Some may be in the cluster already, with the same name. */
  coming(facts: () => NodeFacts): readonly ClusterNode[] {
    const claims = [...this.#claims.values()].filter(isOnItsWay);
    return claims.length === 0 ? [] : nodesOfClaims(claims, facts());
  }

  async stop(): Promise<void> {
    await Promise.all(this.caches.map(({ cache }) => cache.stop()));
  }

  #objects(
    what: AutoscalerSource,
    type: ResourceType<KubeObject>,
    selection: { readonly namespaces?: readonly string[]; readonly fieldSelector?: string } = {},
  ): Cache<KubeObject> {
    const { client, clock, random, onError } = this.#options;
    return startCache<KubeObject, KubeObject>(client, type, {
      ...{ ...selection, clock, random, isOptional: true },
      keep: withoutManagedFields,
      identityOf: objectIdentity,
      onError: (error, _namespace, isRefusedAgain) => onError(what, error, isRefusedAgain),
    });
  }
}
