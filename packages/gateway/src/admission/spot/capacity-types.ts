import type { CapacityType, SpotRule } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import { textAt } from "../../json/fields.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { hasEnded } from "../../spark/spark-pod.ts";
import type { RequestedExecutor } from "../demand/application-demand.ts";
import type { ClusterRoom } from "../demand/cluster-room.ts";
import { Usage } from "../demand/usage.ts";
import { withOtherCapacityType } from "./capacity-type.ts";
import { assignCapacityTypes } from "./assign-capacity-types.ts";

export interface CapacityTypesOptions {
  readonly cluster: ClusterWatch;
  readonly clusterRoom: ClusterRoom;
}

export interface AskedOfSpot {
  /** The executors of an application, in the order in which it asked for them. */
  readonly asked: readonly RequestedExecutor[];
  /** Undefined: nothing is asked of nodes. */
  readonly rule: SpotRule | undefined;
  /** How many executors the application needs for its start. */
  readonly minimum: number;
}

/** The kinds of nodes for executors that wait, as the last situation gives them. */
export class CapacityTypes {
  readonly #options: CapacityTypesOptions;
  /** By the uid of the driver, and the name of the executor. */
  readonly #types = new Map<string, ReadonlyMap<string, CapacityType>>();

  constructor(options: CapacityTypesOptions) {
    this.#options = options;
  }

  /** The executors of an application; those that wait have the condition for their kind of node. */
  assign(uid: string, { asked, rule, minimum }: AskedOfSpot): readonly RequestedExecutor[] {
    this.#types.delete(uid);
    if (rule === undefined) return asked;
    const { clusterRoom } = this.#options;
    const { executors, types } = assignCapacityTypes(asked, {
      ...{ rule, minimum },
      mayHaveNode: (pod) => clusterRoom.mayHaveNode(clusterRoom.shapes.of(pod), this.#usedBySpark()),
    });
    this.#types.set(uid, types);
    return executors;
  }

  /** The kind of node for an executor that waits; `undefined` if nothing is asked of nodes. */
  of(uid: string, executor: string): CapacityType | undefined {
    return this.#types.get(uid)?.get(executor);
  }

  /** Whether a pod like this one could have a node of the other kind at present. */
  couldHaveOther(pod: KubeObject): boolean {
    const { clusterRoom } = this.#options;
    const other = withOtherCapacityType(pod);
    return other !== undefined && clusterRoom.mayHaveNode(clusterRoom.shapes.of(other), this.#usedBySpark());
  }

  /** Forgets all applications except these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#types.keys()) if (!uids.has(uid)) this.#types.delete(uid);
  }

  #usedBySpark(): Usage {
    const usage = new Usage();
    const { cluster, clusterRoom } = this.#options;
    for (const pod of cluster.pods()) {
      const node = textAt(pod, "spec", "nodeName");
      if (node !== undefined && !hasEnded(pod)) usage.add(node, clusterRoom.shapes.of(pod).requests, 1);
    }
    return usage;
  }
}
