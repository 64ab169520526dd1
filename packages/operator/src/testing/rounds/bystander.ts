import { resources, startReflector, type KubeClient, type KubeObject, type ResourceType } from "@kindling/kube";
import type { Event } from "kubernetes-types/core/v1.js";
import { customResources, type SparkApplicationStatus } from "@kindling/spark-application";

/** An application as a bystander sees it. */
export interface SeenApplication extends KubeObject {
  readonly status?: SparkApplicationStatus | undefined;
}

/** An object that has been seen, though it may be gone by now. */
export interface SeenObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The uids of its owners. */
  readonly owners: readonly string[];
}

/** All that was seen of a namespace. */
export interface SeenNamespace {
  application: SeenApplication | undefined;
  /** The uids of all that have been the application. */
  readonly applications: Set<string>;
  /** Each state that the application has been in, in order. */
  readonly states: string[];
  /** Of all events about the application. */
  readonly reasons: string[];
  /** Everything that was ever made, by uid. */
  readonly made: Map<string, SeenObject>;
  /** What is there now, by uid. */
  readonly there: Map<string, SeenObject>;
}

/** Watches all that applications make, and misses nothing. One application a namespace. */
export interface Bystander {
  seen(namespace: string): SeenNamespace;
  /** Begins anew with a namespace that nothing is in any more. */
  forget(namespace: string): void;
  /** Resolves with what a look gives, as soon as it gives something. */
  until<T>(look: () => T | undefined): Promise<T>;
  stop(): Promise<void>;
}

/** What each namespace has from the start. */
const FROM_THE_START = "kube-root-ca.crt";

export async function startBystander(client: KubeClient): Promise<Bystander> {
  const namespaces = new Map<string, SeenNamespace>();
  const waiting = new Set<() => void>();
  const told = (): void => {
    for (const look of waiting) look();
  };

  function seen(namespace: string): SeenNamespace {
    const known = namespaces.get(namespace);
    if (known !== undefined) return known;
    const unknown = {
      ...{ application: undefined, applications: new Set<string>(), states: [], reasons: [] },
      ...{ made: new Map(), there: new Map() },
    };
    namespaces.set(namespace, unknown);
    return unknown;
  }

  function seeApplication(application: SeenApplication, isGone: boolean): void {
    const of = seen(application.metadata?.namespace ?? "");
    of.application = isGone ? undefined : application;
    of.applications.add(application.metadata?.uid ?? "");
    const state = application.status?.applicationState.state ?? "";
    if (of.states.at(-1) !== state) of.states.push(state);
  }

  function seeObject({ kind = "", metadata = {} }: KubeObject, isGone: boolean): void {
    const { name = "", namespace = "", uid = "", labels = {}, ownerReferences = [] } = metadata;
    if (name === FROM_THE_START) return;
    const of = seen(namespace);
    const object = { kind, name, uid, labels, owners: ownerReferences.map((owner) => owner.uid) };
    of.made.set(uid, object);
    if (isGone) of.there.delete(uid);
    else of.there.set(uid, object);
  }

  function seeEvent({ metadata, involvedObject, reason = "" }: Event, isGone: boolean): void {
    if (!isGone && involvedObject.kind === "SparkApplication") seen(metadata.namespace ?? "").reasons.push(reason);
  }

  function follow<T extends KubeObject>(type: ResourceType<T>, see: (object: T, isGone: boolean) => void) {
    return startReflector(client, type, {
      allNamespaces: true,
      sink: {
        replace(objects) {
          for (const object of objects) see(object, false);
          told();
        },
        apply(event) {
          if (event.type === "BOOKMARK") return;
          see(event.object, event.type === "DELETED");
          told();
        },
      },
    });
  }

  const reflectors = [
    follow(customResources.sparkApplications, seeApplication),
    follow(resources.events, seeEvent),
    ...[resources.pods, resources.services, resources.configmaps].map((type) => follow(type, seeObject)),
  ];
  await Promise.all(reflectors.map(({ synced }) => synced));
  return {
    seen,
    forget: (namespace) => void namespaces.delete(namespace),
    until: (look) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = look();
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    async stop() {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}
