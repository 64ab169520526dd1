import { jsonEqual, type KubeObject } from "@kindling/kube-objects";
import { type Cache, keyOf, type RecordChange, startCache, type Watch, watch } from "@kindling/controller";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { KubeClient, KubeError, ResourceType } from "@kindling/kube";
import type { Clock, Outside } from "@kindling/outside";
import { textAt } from "../json/fields.ts";
import { prefixOfExecutor } from "../spark/executor-name.ts";
import {
  driversOf,
  gatesOf,
  isDriver,
  isExecutor,
  isGatewayDriver,
  isOfDriver,
  isOfSet,
  owningPods,
  type PodRef,
} from "../spark/spark-pod.ts";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "./upstream-types.ts";

export type WatchedKind = "pods" | "claims";

/** Is told what happens in the cluster. Must not throw. */
export interface ClusterListener {
  changed(kind: WatchedKind, change: RecordChange<KubeObject>): void;
  /** A whole list has been received, with this resource version; undefined means all namespaces. */
  listed(kind: WatchedKind, namespace: string | undefined, version: string): void;
}

export interface ClusterWatchOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Empty: all namespaces, with one watch. */
  readonly namespaces: readonly string[];
  readonly onFault: (kind: WatchedKind, error: KubeError) => void;
}

type Index = "owner" | "application" | "gate" | "driver" | "prefix" | "node";
type ObjectCache = Cache<KubeObject, Index>;

/**
 * All pods and claims of Spark's in the cluster: one list and one watch of each for every namespace, however many
 * applications there are.
 */
export class ClusterWatch {
  readonly #pods: ObjectCache;
  readonly #claims: ObjectCache;
  readonly #waiting = new Set<() => void>();

  constructor({ client, namespaces, clock, random, onFault }: ClusterWatchOptions) {
    const start = (kind: WatchedKind, type: ResourceType<KubeObject>): ObjectCache => {
      const cache: ObjectCache = startCache<KubeObject, KubeObject, Index>(client, type, {
        ...{ namespaces, clock, random },
        labelSelector: SPARK_APP_ID_LABEL,
        keep: (object) => withKnownSpec(cache, withoutManagedFields(object)),
        identityOf: objectIdentity,
        indexes: {
          owner: driversOf,
          application: applicationOf,
          gate: gatesOf,
          driver: kindsOfDriver,
          prefix: executorPrefix,
          node: nodeOf,
        },
        onError: (error) => onFault(kind, error),
      });
      cache.subscribe({ advanced: () => this.#wake() });
      return cache;
    };
    this.#pods = start("pods", UPSTREAM.pods);
    this.#claims = start("claims", UPSTREAM.persistentvolumeclaims);
  }

  /** Tells the listener what happens from now on, until the result is called. */
  subscribe(listener: ClusterListener): () => void {
    const ends = (["pods", "claims"] as const).map((kind) =>
      (kind === "pods" ? this.#pods : this.#claims).subscribe({
        changed: (change) => listener.changed(kind, change),
        listed: (namespace, version) => listener.listed(kind, namespace, version),
      }),
    );
    return () => ends.forEach((end) => end());
  }

  /** A watch for controllers: the keys that concern each pod. */
  podKeys(keysOf: (pod: KubeObject) => Iterable<string>): Watch {
    return watch(this.#pods, keysOf);
  }

  /** Resolves when all has been listed once. */
  async synced(): Promise<void> {
    await Promise.all([this.#pods.synced, this.#claims.synced]);
  }

  get isSynced(): boolean {
    return this.#pods.isSynced && this.#claims.isSynced;
  }

  /** Whether an object that is missing here is also missing in the cluster (apart from the last moments). */
  isCurrent(namespace: string): boolean {
    return this.#pods.isCurrent(namespace) && this.#claims.isCurrent(namespace);
  }

  /** Whether a namespace is among those that are watched. */
  serves(namespace: string): boolean {
    return this.#pods.covers(namespace);
  }

  pod(namespace: string, name: string): KubeObject | undefined {
    return this.#pods.get(`${namespace}/${name}`);
  }

  claim(namespace: string, name: string): KubeObject | undefined {
    return this.#claims.get(`${namespace}/${name}`);
  }

  pods(): Iterable<KubeObject> {
    return this.#pods.values();
  }

  podsOwnedBy(namespace: string, driver: PodRef): KubeObject[] {
    const found = this.#pods.byIndex("owner", driver.uid);
    return found.filter((pod) => pod.metadata.namespace === namespace && isOfDriver(pod, driver));
  }

  /** A pod by its key, as controllers use it. */
  podAt(key: string): KubeObject | undefined {
    return this.#pods.get(key);
  }

  /** The driver of an executor, as far as the executor itself tells. */
  driverOf(executor: KubeObject): KubeObject | undefined {
    const { namespace = "" } = executor.metadata;
    // This is asked for thousands of executors at once, so their drivers are looked up by name.
    for (const { name, uid } of owningPods(executor)) {
      const owner = this.pod(namespace, name);
      if (owner?.metadata.uid === uid && isDriver(owner)) return owner;
    }
    if (!isOfSet(executor)) return undefined;
    const uids = driversOf(executor);
    return this.drivers().find(({ metadata }) => uids.includes(metadata.uid) && metadata.namespace === namespace);
  }

  /** The pods on a node. */
  podsOn(node: string): KubeObject[] {
    return this.#pods.byIndex("node", node);
  }

  /** Executors of any driver whose names begin with this prefix. */
  executorsCalled(namespace: string, prefix: string): KubeObject[] {
    const found = this.#pods.byIndex("prefix", prefix);
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Drivers that a scheduling gate of this name holds back. */
  driversBehind(gate: string): KubeObject[] {
    return this.#pods.byIndex("gate", gate).filter(isDriver);
  }

  /** All drivers, also those that create their executors themselves. */
  drivers(): KubeObject[] {
    return this.#pods.byIndex("driver", ANY);
  }

  /** Drivers that say that the gateway manages them. */
  gatewayDrivers(): KubeObject[] {
    return this.#pods.byIndex("driver", GATEWAYS);
  }

  /** All pods with the label of an application. */
  podsOf(namespace: string, application: string): KubeObject[] {
    const found = this.#pods.byIndex("application", application);
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  claimsOf(namespace: string, application: string): KubeObject[] {
    const found = this.#claims.byIndex("application", application);
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Resolves at the next event from the cluster, or after this time. */
  async news(clock: Clock, milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        resolve();
      };
      const cancel = clock.after(milliseconds, done);
      this.#waiting.add(done);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#pods.stop(), this.#claims.stop()]);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/**
 * The object with the spec object that is already in memory, if the spec has not changed. This saves memory: the spec is the
 * larger part of a pod, a pod changes about five times, and each state stays in the history of a view for a while.
 */
function withKnownSpec(cache: ObjectCache, object: KubeObject): KubeObject {
  const known = cache.get(keyOf(object.metadata))?.["spec"];
  return known !== undefined && jsonEqual(known, object["spec"]) ? { ...object, spec: known } : object;
}

const ANY = "any";
const GATEWAYS = "gateway";

function kindsOfDriver(pod: KubeObject): string[] {
  if (!isDriver(pod)) return [];
  return isGatewayDriver(pod) ? [ANY, GATEWAYS] : [ANY];
}

function executorPrefix(pod: KubeObject): string[] {
  const prefix = isExecutor(pod) ? prefixOfExecutor(pod) : undefined;
  return prefix === undefined ? [] : [prefix];
}

function nodeOf(pod: KubeObject): string[] {
  const node = textAt(pod, "spec", "nodeName");
  return node === undefined ? [] : [node];
}

function applicationOf({ metadata: { labels } }: KubeObject): string[] {
  const id = labels?.[SPARK_APP_ID_LABEL];
  return id === undefined ? [] : [id];
}
