import { type Condition, controllerReference } from "@kindling/kube-objects";
import { createHash } from "node:crypto";
import type { Deployment, Workload } from "../../objects/apps.ts";
import { setCondition } from "../../objects/conditions.ts";
import type { ControllerContext } from "../controller.ts";
import { isControlledBy } from "./owned-pods.ts";
import { WorkloadController } from "./workload-controller.ts";

const HASH = "pod-template-hash";
const REVISION = "deployment.kubernetes.io/revision";
const SOURCE = { component: "deployment-controller" };

/**
 * Keeps one replica set for the current template of each deployment. A new template is rolled out in one step: its pods start
 * beside the old ones, which are deleted when the new ones are ready (or before, with the strategy Recreate).
 */
export class DeploymentController extends WorkloadController {
  constructor(context: ControllerContext) {
    super(context, "deployments", ["replicasets.apps"]);
  }

  protected override syncWorkload(workload: Workload): void {
    const deployment = workload as Deployment;
    const hash = templateHash(deployment);
    const sets = this.#setsOf(deployment);
    const current = sets.find(({ metadata }) => metadata.labels?.[HASH] === hash);
    const old = sets.filter((set) => set !== current);
    const wanted = deployment.spec.replicas ?? 0;
    if (deployment.spec.paused !== true) {
      const oldRunning = old.some(({ status }) => (status.replicas ?? 0) > 0);
      const holdBack = deployment.spec.strategy.type === "Recreate" && oldRunning;
      if (current === undefined) this.#createSet(deployment, hash, holdBack ? 0 : wanted, sets.length + 1);
      else if (!holdBack) this.#scale(deployment, current, wanted);
      const ready = current?.status.availableReplicas ?? 0;
      if (ready >= wanted || deployment.spec.strategy.type === "Recreate")
        for (const set of old) this.#scale(deployment, set, 0);
    }
    this.#updateStatus(deployment, current?.metadata.name);
  }

  #setsOf(deployment: Deployment): Workload[] {
    return [...this.context.api.store.collection("replicasets.apps").list(deployment.metadata.namespace)]
      .map(({ object }) => object as Workload)
      .filter((set) => isControlledBy(set, deployment));
  }

  #createSet(deployment: Deployment, hash: string, replicas: number, revision: number): void {
    const { metadata, spec } = deployment;
    const name = `${metadata.name}-${hash}`;
    const labels = { ...spec.template.metadata.labels, [HASH]: hash };
    const { selector } = spec;
    this.writer.create(this.context.api.types.builtIn("replicasets", "apps"), metadata.namespace, {
      metadata: {
        name,
        labels,
        annotations: { [REVISION]: String(revision) },
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas,
        selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH]: hash } },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    });
    if (metadata.annotations?.[REVISION] !== String(revision)) {
      this.writer.update(this.type, metadata, (current) => ({
        ...current,
        metadata: {
          ...current.metadata,
          annotations: { ...current.metadata.annotations, [REVISION]: String(revision) },
        },
      }));
    }
    this.#scaled(deployment, name, 0, replicas);
  }

  #scale(deployment: Deployment, set: Workload, replicas: number): void {
    const before = set.spec.replicas ?? 0;
    if (before === replicas) return;
    const type = this.context.api.types.builtIn("replicasets", "apps");
    this.writer.update(type, set.metadata, (current) => ({
      ...current,
      spec: { ...(current as Workload).spec, replicas },
    }));
    this.#scaled(deployment, set.metadata.name, before, replicas);
  }

  #scaled(about: Deployment, set: string, from: number, to: number): void {
    if (from === to) return;
    const direction = to > from ? "up" : "down";
    const message = `Scaled ${direction} replica set ${set} from ${from} to ${to}`;
    this.context.events.record({ about, type: "Normal", reason: "ScalingReplicaSet", message, source: SOURCE });
  }

  #updateStatus(deployment: Deployment, currentName: string | undefined): void {
    const sets = this.#setsOf(deployment);
    const sum = (field: "replicas" | "readyReplicas" | "availableReplicas"): number =>
      sets.reduce((total, { status }) => total + (status[field] ?? 0), 0);
    const wanted = deployment.spec.replicas ?? 0;
    const [replicas, ready, available] = [sum("replicas"), sum("readyReplicas"), sum("availableReplicas")];
    const updated = sets.find(({ metadata }) => metadata.name === currentName)?.status.replicas ?? 0;
    const done = available >= wanted && updated >= wanted && replicas === updated;
    const counts = {
      replicas,
      updatedReplicas: updated,
      readyReplicas: ready,
      availableReplicas: available,
      unavailableReplicas: Math.max(0, wanted - available),
    };
    this.writer.updateStatus<Deployment>(this.type, deployment.metadata, ({ status }) => ({
      observedGeneration: deployment.metadata.generation ?? 1,
      ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      conditions: this.#conditions(status.conditions ?? [], available >= wanted, done, currentName ?? ""),
    }));
  }

  #conditions(known: readonly Condition[], available: boolean, done: boolean, set: string): Condition[] {
    const now = this.context.api.clock.now();
    const first = setCondition(
      known,
      available
        ? {
            type: "Available",
            status: "True",
            reason: "MinimumReplicasAvailable",
            message: "Deployment has minimum availability.",
          }
        : {
            type: "Available",
            status: "False",
            reason: "MinimumReplicasUnavailable",
            message: "Deployment does not have minimum availability.",
          },
      now,
    );
    const progress: Condition = done
      ? {
          type: "Progressing",
          status: "True",
          reason: "NewReplicaSetAvailable",
          message: `ReplicaSet "${set}" has successfully progressed.`,
        }
      : {
          type: "Progressing",
          status: "True",
          reason: "ReplicaSetUpdated",
          message: `ReplicaSet "${set}" is progressing.`,
        };
    return setCondition(first, progress, now);
  }
}

/** The same hash for templates with the same content: a patch may have changed the order of their fields. */
function templateHash({ spec }: Deployment): string {
  const text = JSON.stringify(spec.template, (_name, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
