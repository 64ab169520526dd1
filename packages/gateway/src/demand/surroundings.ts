import type { KubeObject } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { createObjectStore, isKubeError, type KubeClient, type KubeError, type ObjectStore } from "@kindling/kube";
import { type Reflector, type ResourceType, startReflector } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
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
import { UPSTREAM, withoutManagedFields } from "../upstream/upstream-types.ts";
import type { CapacitySetting } from "../config/capacity-setting.ts";
import { OCCUPANTS, OtherPods } from "./other-pods.ts";
import { PodShapes } from "./pod-shapes.ts";
import type { Usage } from "./usage.ts";

export interface SurroundingsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly capacity: CapacitySetting;
  /** Whose drivers are served; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

type What = "nodes" | "pods" | "resourcequotas";

interface Watched {
  readonly what: What;
  readonly reflector: Reflector;
  readonly store: ObjectStore<KubeObject>;
}

const HINTS: Readonly<Record<What, string>> = {
  nodes:
    "let the gateway's account list and watch nodes, or set capacity to amounts such as cpu=64,memory=256Gi, or to unlimited",
  pods: "let the gateway's account list and watch pods of all namespaces: what those it cannot see use counts as free",
  resourcequotas:
    "let the gateway's account list and watch resourcequotas: until then, what exceeds one is tried in vain",
};

/**
 * What limits applications beside their queues: nodes with what others use there, and quotas. One watch of nodes and one of
 * pods, if the room of nodes counts; and one of quotas for each namespace.
 */
export class Surroundings {
  /** Of all pods. */
  readonly shapes: PodShapes = new PodShapes();
  readonly #options: SurroundingsOptions;
  readonly #watched: readonly Watched[];
  readonly #nodes: ObjectStore<KubeObject> = this.#storeOf();
  readonly #quotas: readonly ObjectStore<KubeObject>[];
  readonly #others: OtherPods;
  /** What cannot be seen for want of rights. */
  readonly #forbidden = new Set<What>();
  readonly #waiting: (() => void)[] = [];

  constructor(options: SurroundingsOptions) {
    this.#options = options;
    const { namespaces, capacity } = options;
    this.#others = new OtherPods(this.shapes, (namespace) => namespaces?.includes(namespace) ?? true);
    const quotas = (namespaces ?? [undefined]).map((namespace) => {
      const scope = namespace === undefined ? { allNamespaces: true } : { namespace };
      return this.#watch("resourcequotas", UPSTREAM.resourcequotas, this.#storeOf(), withoutManagedFields, scope);
    });
    this.#quotas = quotas.map(({ store }) => store);
    this.#watched = capacity.kind === "nodes" ? [...quotas, ...this.#watchRoom()] : quotas;
  }

  /** What keeps plans from being made: they would count on what is not known. */
  get missing(): string | undefined {
    const missing = this.#watched.find(({ what, store }) => !this.#isKnown(what, store));
    if (missing === undefined) return undefined;
    const { what } = missing;
    return this.#forbidden.has(what)
      ? `the gateway may not see ${what}: ${HINTS[what]}`
      : `${what} have not been listed yet`;
  }

  /** Resolves when nothing is missing any more; without rights to see nodes, never. */
  async synced(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#wakeIfKnown();
    });
  }

  /**
   * @param usage what is used on nodes by Spark's pods that belong to no known application
   * @param backoffUntil the nodes that get no new pods, and until when
   */
  capacity(usage: Usage, backoffUntil: ReadonlyMap<string, number>): Capacity {
    const { capacity } = this.#options;
    if (capacity.kind === "configured") return capacity;
    const nodes: ClusterNode[] = [];
    for (const node of this.#nodes.values()) {
      const { name } = node.metadata;
      const usedByOthers = add(this.#others.usage.on(name), usage.on(name));
      nodes.push(clusterNode(node as unknown as Node, { usedByOthers, backoffUntil: backoffUntil.get(name) }));
    }
    return { kind: "nodes", nodes };
  }

  quotas(): readonly NamespaceQuota[] {
    return this.#quotas.flatMap((store) =>
      [...store.values()].flatMap((quota) => namespaceQuota(quota as unknown as ResourceQuota) ?? []),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watched.map(({ reflector }) => reflector.stop()));
  }

  #watchRoom(): readonly Watched[] {
    const { namespaces } = this.#options;
    const selection = {
      allNamespaces: true,
      fieldSelector: OCCUPANTS,
      // Those with the label are followed anyway, if all namespaces are served.
      ...(namespaces === undefined && { labelSelector: `!${SPARK_APP_ID_LABEL}` }),
    };
    return [
      this.#watch("nodes", UPSTREAM.nodes, this.#nodes, withoutManagedFields, { allNamespaces: true }),
      this.#watch("pods", UPSTREAM.pods, this.#others.store, this.#others.keep, selection),
    ];
  }

  #watch(
    what: What,
    type: ResourceType<KubeObject>,
    store: ObjectStore<KubeObject>,
    keep: (object: KubeObject) => KubeObject,
    selection: {
      readonly namespace?: string;
      readonly allNamespaces?: boolean;
      readonly fieldSelector?: string;
      readonly labelSelector?: string;
    },
  ): Watched {
    const { client, clock } = this.#options;
    const reflector = startReflector<KubeObject>(client, type, {
      ...selection,
      keep,
      clock,
      sink: {
        replace: (items, version) => {
          store.replace(items, version);
          this.#forbidden.delete(what);
          this.#changed();
        },
        apply: (event) => {
          store.apply(event);
          if (event.type !== "BOOKMARK") this.#changed();
        },
      },
      onError: (error) => this.#failed(what, error),
    });
    return { what, reflector, store };
  }

  #failed(what: What, error: KubeError): void {
    const { log } = this.#options;
    if (!isForbidden(error) || this.#forbidden.has(what)) return;
    this.#forbidden.add(what);
    log[what === "nodes" ? "error" : "warn"](`the gateway may not see ${what}`, {
      error: error.message,
      hint: HINTS[what],
    });
    this.#changed();
  }

  #changed(): void {
    this.#wakeIfKnown();
    this.#options.onChange();
  }

  #wakeIfKnown(): void {
    if (this.missing === undefined) for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Without nodes there is no room to give away; without the rest, the cluster refuses what is too much. */
  #isKnown(what: What, { resourceVersion }: ObjectStore<KubeObject>): boolean {
    return resourceVersion !== undefined || (what !== "nodes" && this.#forbidden.has(what));
  }

  #storeOf(): ObjectStore<KubeObject> {
    return createObjectStore<KubeObject>();
  }
}

function isForbidden(error: unknown): boolean {
  return isKubeError(error) && error.kind === "status" && error.status === 403;
}
