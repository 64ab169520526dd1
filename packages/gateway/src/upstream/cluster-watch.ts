import { jsonEqual, type KubeObject } from "@kindling/api-server";
import { SCHEDULER_GATEWAY_LABEL, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import {
  createObjectStore,
  type KubeClient,
  type KubeError,
  keyOf,
  labelIndex,
  type ObjectStore,
  type Reflector,
  type ResourceType,
  startReflector,
  type StoreChange,
} from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { prefixOfExecutor } from "../spark/executor-name.ts";
import { driversOf, gatesOf, isDriver, isExecutor, isOfDriver, type PodRef } from "../spark/spark-pod.ts";
import { UPSTREAM, withoutManagedFields } from "./upstream-types.ts";

export type WatchedKind = "pods" | "claims";

/** Who is told of what happens in the cluster. Must not throw. */
export interface ClusterListener {
  changed(kind: WatchedKind, change: StoreChange<KubeObject>): void;
  /** A whole list has been taken over, as of a version; undefined is every namespace. */
  listed(kind: WatchedKind, namespace: string | undefined, version: string): void;
}

export interface ClusterWatchOptions {
  readonly client: KubeClient;
  /** Undefined: all of them, with one watch. */
  readonly namespaces: readonly string[] | undefined;
  readonly clock: Clock;
  readonly onFault: (kind: WatchedKind, error: KubeError) => void;
}

type Index = "owner" | "application" | "gate" | "driver" | "prefix";
type Store = ObjectStore<KubeObject, Index>;

interface Part {
  readonly kind: WatchedKind;
  readonly namespace: string | undefined;
  readonly store: Store;
  readonly reflector: Reflector;
}

/**
 * All pods and claims of Spark's in the cluster: one list and one watch of each for every namespace, however many
 * applications there are.
 */
export class ClusterWatch {
  readonly #parts: readonly Part[];
  #listener: ClusterListener | undefined;
  readonly #podWatchers = new Set<(pod: KubeObject) => void>();
  readonly #waiting = new Set<() => void>();

  constructor({ client, namespaces, clock, onFault }: ClusterWatchOptions) {
    const part = (kind: WatchedKind, type: ResourceType<KubeObject>, namespace: string | undefined): Part => {
      const store: Store = createObjectStore<KubeObject, Index>({
        indexes: {
          owner: driversOf,
          application: labelIndex(SPARK_APP_ID_LABEL),
          gate: gatesOf,
          driver: kindsOfDriver,
          prefix: executorPrefix,
        },
        onChange: (change) => {
          this.#listener?.changed(kind, change);
          if (kind === "pods") for (const watcher of this.#podWatchers) watcher(change.object);
        },
      });
      const reflector = startReflector<KubeObject>(client, type, {
        ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
        labelSelector: SPARK_APP_ID_LABEL,
        keep: withoutManagedFields,
        clock,
        sink: {
          replace: (items, version) => {
            store.replace(items, version);
            this.#listener?.listed(kind, namespace, version);
            this.#wake();
          },
          apply: (event) => {
            store.apply(event.type === "BOOKMARK" ? event : { ...event, object: withKnownSpec(store, event.object) });
            this.#wake();
          },
        },
        onError: (error) => onFault(kind, error),
      });
      return { kind, namespace, store, reflector };
    };
    this.#parts = (namespaces ?? [undefined]).flatMap((namespace) => [
      part("pods", UPSTREAM.pods, namespace),
      part("claims", UPSTREAM.persistentvolumeclaims, namespace),
    ]);
  }

  /** Undefined: nobody. */
  set listener(listener: ClusterListener | undefined) {
    this.#listener = listener;
  }

  /** Tells of each pod that is there, and then of each that has come, changed or gone, until the result is called. */
  onPod(watcher: (pod: KubeObject) => void): () => void {
    this.#podWatchers.add(watcher);
    for (const pod of this.pods()) watcher(pod);
    return () => void this.#podWatchers.delete(watcher);
  }

  /** Resolves when all has been listed once. */
  async synced(): Promise<void> {
    await Promise.all(this.#parts.map(({ reflector }) => reflector.synced));
  }

  get isSynced(): boolean {
    return this.#parts.every(({ store }) => store.resourceVersion !== undefined);
  }

  /** Whether what is missing here is missing in the cluster, but for the last moments. */
  isCurrent(namespace: string): boolean {
    return this.#parts.every((part) => !covers(part, namespace) || part.reflector.isCurrent);
  }

  /** Whether a namespace is among those that are watched. */
  serves(namespace: string): boolean {
    return this.#parts.some((part) => covers(part, namespace));
  }

  pod(namespace: string, name: string): KubeObject | undefined {
    return this.#store("pods", namespace)?.get(`${namespace}/${name}`);
  }

  claim(namespace: string, name: string): KubeObject | undefined {
    return this.#store("claims", namespace)?.get(`${namespace}/${name}`);
  }

  *pods(): Generator<KubeObject> {
    for (const { kind, store } of this.#parts) if (kind === "pods") yield* store.values();
  }

  podsOwnedBy(namespace: string, driver: PodRef): KubeObject[] {
    const found = this.#store("pods", namespace)?.byIndex("owner", driver.uid) ?? [];
    return found.filter((pod) => pod.metadata.namespace === namespace && isOfDriver(pod, driver));
  }

  /** Executors whose names begin with this prefix, whosever they are. */
  executorsCalled(namespace: string, prefix: string): KubeObject[] {
    const found = this.#store("pods", namespace)?.byIndex("prefix", prefix) ?? [];
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Drivers that a scheduling gate of this name holds back. */
  driversBehind(gate: string): KubeObject[] {
    return this.#parts.flatMap(({ store }) => store.byIndex("gate", gate).filter(isDriver));
  }

  /** All drivers, those among them that make their executors themselves. */
  drivers(): KubeObject[] {
    return this.#parts.flatMap(({ kind, store }) => (kind === "pods" ? store.byIndex("driver", ANY) : []));
  }

  /** Drivers that are the gateway's, and say so. */
  gatewayDrivers(): KubeObject[] {
    return this.#parts.flatMap(({ store }) => store.byIndex("driver", GATEWAYS));
  }

  /** All pods that say that they are of an application. */
  podsOf(namespace: string, application: string): KubeObject[] {
    const found = this.#store("pods", namespace)?.byIndex("application", application) ?? [];
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  claimsOf(namespace: string, application: string): KubeObject[] {
    const found = this.#store("claims", namespace)?.byIndex("application", application) ?? [];
    return found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Resolves at the next news from the cluster, or after a time. */
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
    await Promise.all(this.#parts.map(({ reflector }) => reflector.stop()));
  }

  #store(kind: WatchedKind, namespace: string): Store | undefined {
    return this.#parts.find((part) => part.kind === kind && covers(part, namespace))?.store;
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/**
 * The object with the spec that is at hand, if it has not changed: of a pod it is the larger part, a pod changes some five
 * times, and each state stays in the history of a view for a while.
 */
function withKnownSpec(store: Store, object: KubeObject): KubeObject {
  const known = store.get(keyOf(object))?.["spec"];
  return known !== undefined && jsonEqual(known, object["spec"]) ? { ...object, spec: known } : object;
}

const ANY = "any";
const GATEWAYS = "gateway";

function kindsOfDriver(pod: KubeObject): string[] {
  if (!isDriver(pod)) return [];
  return pod.metadata.labels?.[SCHEDULER_GATEWAY_LABEL] === "true" ? [ANY, GATEWAYS] : [ANY];
}

function executorPrefix(pod: KubeObject): string[] {
  const prefix = isExecutor(pod) ? prefixOfExecutor(pod) : undefined;
  return prefix === undefined ? [] : [prefix];
}

function covers({ namespace }: Pick<Part, "namespace">, wanted: string): boolean {
  return namespace === undefined || namespace === wanted;
}
