import type { KubeObjectLike } from "@kindling/kube";
import type { SparkApplicationStatus } from "@kindling/spark-application";
import type { Event } from "kubernetes-types/core/v1.js";

/** An application as a bystander sees it. */
export interface SeenApplication extends KubeObjectLike {
  readonly status?: SparkApplicationStatus | undefined;
}

/** An object that was seen; it may be gone by now. */
export interface SeenObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The uids of its owners. */
  readonly owners: readonly string[];
}

/** An object that each namespace has from the start. */
const FROM_THE_START = "kube-root-ca.crt";

/** Everything that was seen in a namespace. */
export class SeenNamespace {
  application: SeenApplication | undefined;
  /** The uids of all objects that were the application. */
  readonly applications: Set<string> = new Set();
  /** Each state that the application has been in, in order. */
  readonly states: string[] = [];
  /** The reasons of all events about the application. */
  readonly reasons: string[] = [];
  /** Everything that was ever made, by uid. */
  readonly made: Map<string, SeenObject> = new Map();
  /** The objects that exist now, by uid. */
  readonly there: Map<string, SeenObject> = new Map();

  seeApplication(application: SeenApplication, isGone: boolean): void {
    this.application = isGone ? undefined : application;
    this.applications.add(application.metadata?.uid ?? "");
    const state = application.status?.applicationState.state ?? "";
    if (this.states.at(-1) !== state) this.states.push(state);
  }

  seeObject({ kind = "", metadata = {} }: KubeObjectLike, isGone: boolean): void {
    const { name = "", uid = "", labels = {}, ownerReferences = [] } = metadata;
    if (name === FROM_THE_START) return;
    const object = { kind, name, uid, labels, owners: ownerReferences.map((owner) => owner.uid) };
    this.made.set(uid, object);
    if (isGone) this.there.delete(uid);
    else this.there.set(uid, object);
  }

  seeEvent({ involvedObject, reason = "" }: Event, isGone: boolean): void {
    if (!isGone && involvedObject.kind === "SparkApplication") this.reasons.push(reason);
  }
}
