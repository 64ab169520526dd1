import type { KubeObject, ObjectMeta } from "@kindling/kube-objects";
import { compareResourceVersions } from "@kindling/kube";
import { objectAt } from "../../json/fields.ts";
import { WANTED_REPLICAS } from "../../spark/marks.ts";
import { markOf, type SetKind } from "../../spark/set-marks.ts";

/**
 * A StatefulSet or a Deployment of executors. It has three numbers: how many executors its driver wants, how many are
 * admitted, and how many the cluster has been told. A gateway that has just started reads the numbers from the set in the
 * cluster. Executors that were admitted but not told to the cluster are decided on again.
 */
export class ExecutorSet {
  readonly kind: SetKind;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly mark: string;
  /** What each of its executors asks for, as a pod. */
  readonly pod: KubeObject;
  #version: string;
  #wanted: number;
  #replicas: number;
  #admitted: number;

  constructor(kind: SetKind, set: KubeObject) {
    const { name, namespace = "", uid, resourceVersion } = set.metadata;
    this.kind = kind;
    this.name = name;
    this.namespace = namespace;
    this.uid = uid;
    this.mark = markOf(kind, name);
    this.pod = podOf(set);
    this.#version = resourceVersion;
    this.#wanted = wantedReplicas(set);
    this.#replicas = toldReplicas(set);
    this.#admitted = Math.min(this.#wanted, this.#replicas);
  }

  /** How many executors the driver has asked for. */
  get wanted(): number {
    return this.#wanted;
  }

  /** How many of them are admitted. */
  get admitted(): number {
    return this.#admitted;
  }

  /** How many wait for their admission. */
  get waiting(): number {
    return Math.max(0, this.#wanted - this.#admitted);
  }

  /** Whether the cluster has been told what is admitted. */
  get isTold(): boolean {
    return this.#replicas === this.#admitted;
  }

  /** Takes the state of the set in the cluster, unless a newer one is known. */
  seen(set: KubeObject): void {
    const { resourceVersion } = set.metadata;
    if ((compareResourceVersions(resourceVersion, this.#version) ?? 1) < 0) return;
    this.#version = resourceVersion;
    this.#wanted = wantedReplicas(set);
    this.#replicas = toldReplicas(set);
    this.#admitted = Math.min(this.#admitted, this.#wanted);
  }

  /** Admits one more of the waiting executors. */
  admit(): void {
    if (this.waiting > 0) this.#admitted += 1;
  }
}

/**
 * How many executors a driver has asked a set for. If the annotation is missing, the set was created by an older gateway,
 * which admitted all.
 */
export function wantedReplicas(set: KubeObject): number {
  const text = set.metadata.annotations?.[WANTED_REPLICAS] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : toldReplicas(set);
}

function toldReplicas(set: KubeObject): number {
  const { replicas } = objectAt(set, "spec");
  return typeof replicas === "number" ? replicas : 1;
}

function podOf(set: KubeObject): KubeObject {
  const template = objectAt(set, "spec", "template");
  const { namespace } = set.metadata;
  const metadata = { ...objectAt(template, "metadata"), name: "", namespace, uid: "" } as unknown as ObjectMeta;
  return { apiVersion: "v1", kind: "Pod", metadata, spec: objectAt(template, "spec") };
}
