import { createHash } from "node:crypto";
import type { StatefulSet, Workload } from "../../objects/apps.ts";
import type { Pod } from "../../objects/pod.ts";
import type { ControllerContext } from "../controller.ts";
import type { Wanted } from "../system-writer.ts";
import { isControlledBy, isReady, podFromTemplate } from "./owned-pods.ts";
import { WorkloadController } from "./workload-controller.ts";

const REVISION = "controller-revision-hash";
const SOURCE = { component: "statefulset-controller" };

/** Keeps the pods `<name>-0` to `<name>-<n-1>` of each stateful set, in order unless it says otherwise. */
export class StatefulSetController extends WorkloadController {
  constructor(context: ControllerContext) {
    super(context, "statefulsets", ["pods"]);
  }

  protected override syncWorkload(workload: Workload): void {
    const set = workload as StatefulSet;
    const wanted = set.spec.replicas ?? 0;
    const revision = revisionOf(set);
    const parallel = set.spec.podManagementPolicy === "Parallel";
    for (let ordinal = 0; ordinal < wanted; ordinal += 1) {
      const pod = this.#pod(set, ordinal);
      if (pod === undefined) this.#create(set, ordinal, revision);
      else if (isStale(pod, revision)) this.#delete(pod);
      if (!parallel && (pod === undefined || !isReady(pod))) break;
    }
    const surplus = this.#pods(set)
      .filter((pod) => ordinalOf(set, pod) >= wanted)
      .sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
    for (const pod of parallel ? surplus : surplus.slice(0, 1)) this.#delete(pod);
    this.#updateStatus(set, revision);
  }

  #pods(set: StatefulSet): Pod[] {
    return [...this.context.api.store.collection("pods").list(set.metadata.namespace)]
      .map(({ object }) => object as Pod)
      .filter((pod) => isControlledBy(pod, set));
  }

  #pod(set: StatefulSet, ordinal: number): Pod | undefined {
    const stored = this.context.api.store
      .collection("pods")
      .get(set.metadata.namespace, `${set.metadata.name}-${ordinal}`);
    return stored?.object as Pod | undefined;
  }

  #create(set: StatefulSet, ordinal: number, revision: string): void {
    const { api, events } = this.context;
    const { namespace } = set.metadata;
    const name = `${set.metadata.name}-${ordinal}`;
    const claims = set.spec.volumeClaimTemplates ?? [];
    for (const { metadata, spec } of claims) {
      const claimName = `${metadata.name}-${name}`;
      // The claim is a copy of the template, including owners and finalizers, with another name
      // (`getPersistentVolumeClaims`).
      const labels = { ...metadata.labels, ...set.spec.selector?.matchLabels };
      const wanted = { metadata: { ...metadata, name: claimName, labels }, spec } as Wanted;
      this.writer.ensure(api.types.builtIn("persistentvolumeclaims"), namespace, wanted);
    }
    const labels = {
      "apps.kubernetes.io/pod-index": String(ordinal),
      [REVISION]: revision,
      "statefulset.kubernetes.io/pod-name": name,
    };
    const { spec } = set.spec.template;
    const volumes = claims.map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
    }));
    const own = (spec.volumes ?? []).filter((volume) => !volumes.some((one) => one.name === volume.name));
    const podSpec = {
      ...spec,
      hostname: name,
      ...(set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }),
      ...(own.length + volumes.length === 0 ? {} : { volumes: [...own, ...volumes] }),
    };
    const template = { ...set.spec.template, spec: podSpec };
    this.writer.create(api.types.builtIn("pods"), namespace, podFromTemplate(set, template, { name, labels }));
    const message = `create Pod ${name} in StatefulSet ${set.metadata.name} successful`;
    events.record({ about: set, type: "Normal", reason: "SuccessfulCreate", message, source: SOURCE });
  }

  #delete(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined)
      this.writer.delete(this.context.api.types.builtIn("pods"), pod.metadata);
  }

  #updateStatus(set: StatefulSet, revision: string): void {
    const pods = this.#pods(set).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const ready = pods.filter(isReady).length;
    const name = `${set.metadata.name}-${revision}`;
    this.writer.updateStatus<StatefulSet>(this.type, set.metadata, () => ({
      observedGeneration: set.metadata.generation ?? 1,
      replicas: pods.length,
      ...(ready === 0 ? {} : { readyReplicas: ready }),
      availableReplicas: ready,
      ...(pods.length === 0 ? {} : { currentReplicas: pods.length, updatedReplicas: pods.length }),
      currentRevision: name,
      updateRevision: name,
      collisionCount: 0,
    }));
  }
}

function ordinalOf(set: StatefulSet, { metadata }: Pod): number {
  return Number(metadata.name.slice(set.metadata.name.length + 1));
}

// A pod of an older template, or one that has ended, is created again.
function isStale({ metadata, status }: Pod, revision: string): boolean {
  const ended = status.phase === "Failed" || status.phase === "Succeeded";
  return ended || metadata.labels?.[REVISION] !== revision;
}

function revisionOf({ spec }: StatefulSet): string {
  return createHash("sha256").update(JSON.stringify(spec.template)).digest("hex").slice(0, 10);
}
