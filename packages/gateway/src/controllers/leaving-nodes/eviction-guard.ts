import type { KubeObject, OwnerReference } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL, SPARK_ROLE_EXECUTOR, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { isAlreadyExists, isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";
import type { Log } from "@kindling/service";
import { applicationIdOf } from "../../spark/spark-pod.ts";

const BUDGETS: ResourceType<KubeObject> = {
  ...{ group: "policy", version: "v1", plural: "poddisruptionbudgets", kind: "PodDisruptionBudget", namespaced: true },
};

interface Budget {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Keeps what drains a node from evicting all executors of an application at once, as long as they leave in turns: a
 * PodDisruptionBudget that permits no eviction. Those who drain nodes try again (Kubernetes, "API-initiated Eviction"). The
 * executors that wait own the budget, so it goes with them if this process ends.
 */
export class EvictionGuard {
  readonly #client: KubeClient;
  readonly #log: Log;
  /** The budgets by node, and there by application. */
  readonly #budgets = new Map<string, Map<string, Budget>>();

  constructor(client: KubeClient, log: Log) {
    this.#client = client;
    this.#log = log;
  }

  /** @param waiting the executors of one application that wait on this node */
  async hold(node: string, waiting: readonly KubeObject[]): Promise<void> {
    const [first] = waiting;
    if (first === undefined) return;
    const { namespace = "", uid } = first.metadata;
    const name = `kindling-leaving-${uid}`;
    const application = applicationIdOf(first) ?? "";
    const held = this.#budgets.get(node) ?? new Map<string, Budget>();
    // Kubernetes refuses evictions of a pod that has two.
    if (held.has(`${namespace}/${application}`)) return;
    this.#budgets.set(node, held.set(`${namespace}/${application}`, { namespace, name }));
    const budget = {
      metadata: { name, namespace, ownerReferences: waiting.map(ownedBy) },
      spec: {
        maxUnavailable: 0,
        selector: {
          matchLabels: {
            [SPARK_APP_ID_LABEL]: application,
            [SPARK_ROLE_LABEL]: SPARK_ROLE_EXECUTOR,
          },
        },
      },
    };
    try {
      await this.#client.create(BUDGETS, budget, { namespace });
    } catch (error) {
      // Without it, an eviction may come before their turn. They leave all the same.
      if (!isAlreadyExists(error))
        this.#log.warn("executors that leave in turns are not guarded", { namespace, error: String(error) });
    }
  }

  /** Permits evictions from this node again. */
  async release(node: string): Promise<void> {
    const held = this.#budgets.get(node) ?? new Map<string, Budget>();
    this.#budgets.delete(node);
    for (const { namespace, name } of held.values()) {
      try {
        await this.#client.delete(BUDGETS, name, { namespace });
      } catch (error) {
        if (!isNotFound(error)) this.#log.warn("a guard of executors stays", { namespace, name, error: String(error) });
      }
    }
  }
}

function ownedBy({ metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion: "v1", kind: "Pod", name, uid };
}
