import type { CapacityType, SpotRule } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import type { RequestedExecutor } from "../demand/application-demand.ts";
import type { ClusterRoom } from "../demand/cluster-room.ts";
import { usageOf } from "../demand/usage.ts";
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
    const { executors, types } = assignCapacityTypes(asked, {
      ...{ rule, minimum },
      mayHaveNode: (pod) => this.#mayHaveNode(pod),
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
    const other = withOtherCapacityType(pod);
    return other !== undefined && this.#mayHaveNode(other);
  }

  /** Forgets all applications except these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#types.keys()) if (!uids.has(uid)) this.#types.delete(uid);
  }

  #mayHaveNode(pod: KubeObject): boolean {
    const { cluster, clusterRoom } = this.#options;
    const { shapes } = clusterRoom;
    return clusterRoom.mayHaveNode(shapes.of(pod), () => usageOf(cluster.pods(), shapes));
  }
}
