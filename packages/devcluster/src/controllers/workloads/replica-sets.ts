import type { Workload } from "../../objects/apps.ts";
import type { Pod } from "../../objects/pod.ts";
import type { ControllerContext } from "../controller.ts";
import { isReady, ownedPods, podFromTemplate } from "./owned-pods.ts";
import { WorkloadController } from "./workload-controller.ts";

const SOURCE = { component: "replicaset-controller" };

/** Keeps the number of pods that each replica set asks for. */
export class ReplicaSetController extends WorkloadController {
  constructor(context: ControllerContext) {
    super(context, "replicasets", ["pods"]);
  }

  protected override syncWorkload(set: Workload): void {
    const { api } = this.context;
    const active = ownedPods(api, set).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const wanted = set.spec.replicas ?? 0;
    for (let count = active.length; count < wanted; count += 1) this.#create(set);
    for (const pod of surplus(active, active.length - wanted)) this.#delete(set, pod);
    const now = ownedPods(api, set).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const ready = now.filter(isReady).length;
    this.writer.updateStatus<Workload>(this.type, set.metadata, () => ({
      ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
      replicas: now.length,
      ...(now.length === 0 ? {} : { fullyLabeledReplicas: now.length }),
      ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
    }));
  }

  #create(set: Workload): void {
    const pods = this.context.api.types.builtIn("pods");
    const wanted = podFromTemplate(set, set.spec.template, { generateName: `${set.metadata.name}-` });
    const pod = this.writer.create(pods, set.metadata.namespace, wanted);
    this.#event(set, "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
  }

  #delete(set: Workload, { metadata }: Pod): void {
    this.writer.delete(this.context.api.types.builtIn("pods"), metadata);
    this.#event(set, "SuccessfulDelete", `Deleted pod: ${metadata.name}`);
  }

  #event(about: Workload, reason: string, message: string): void {
    this.context.events.record({ about, type: "Normal", reason, message, source: SOURCE });
  }
}

// Pods that are not ready are deleted first, then the youngest.
function surplus(pods: readonly Pod[], count: number): Pod[] {
  if (count <= 0) return [];
  const order = [...pods].sort(
    (a, b) =>
      Number(isReady(a)) - Number(isReady(b)) || (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1),
  );
  return order.slice(0, count);
}
