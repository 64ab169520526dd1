import type { KubeObject } from "@kindling/kube-objects";
import type { RecordChange } from "@kindling/controller";
import type { ClusterListener, ClusterWatch, WatchedKind } from "../../cluster/cluster-watch.ts";
import type { SetWatch } from "../../cluster/set-watch.ts";
import { Application, type ApplicationContext } from "./application.ts";
import { isKeeper } from "../../spark/keeper.ts";
import { isEarly } from "../../spark/marks.ts";
import {
  deletedAsSeen,
  applicationIdOf,
  driversOf,
  hasEnded,
  isDriver,
  isExecutor,
  isOfDriver,
  isOwnedBy,
  owningPods,
  type PodRef,
} from "../../spark/spark-pod.ts";
import { markOf, type SetKind } from "../../spark/set-marks.ts";
import { isOver } from "../../spark/driver-phase.ts";

/** Is told what happens to applications. Must not throw. */
export interface ApplicationsListener {
  /** An executor has left the cluster, or has ended in it: there may be room for another. */
  roomMade?(namespace: string): void;
  /** An executor has ended, or was deleted before it did. Told once. */
  executorEnded?(executor: KubeObject): void;
  ended?(application: Application): void;
  /** Executors of a set were added or deleted, or their wanted number has changed. */
  setsChanged?(application: Application): void;
  /** Anything else has changed in the cluster, or has been listed. */
  changed?(): void;
}

export interface ApplicationsContext extends ApplicationContext {
  /** What a driver sees of a pod in the cluster; `undefined`: as before. Default: the pod itself. */
  readonly shown?: (application: Application, pod: KubeObject) => KubeObject | undefined;
  /** Whether a pod is gone for its driver, though it is still in the cluster. Default: none is. */
  readonly isHeld?: (uid: string) => boolean;
}

/**
 * The applications whose drivers have asked for something, by the uid of the driver pod. Each event of the cluster is shown
 * in the view of the application to which the object belongs. Pods belong to the driver that owns them, claims to the
 * application whose id is in their label.
 */
export class Applications implements ClusterListener {
  readonly #cluster: ClusterWatch;
  readonly #sets: SetWatch;
  readonly #context: ApplicationsContext;
  readonly #listeners = new Set<ApplicationsListener>();
  readonly #applications = new Map<string, Application>();
  readonly #byId = new Map<string, Set<Application>>();
  readonly #ends: readonly (() => void)[];

  constructor(cluster: ClusterWatch, sets: SetWatch, context: ApplicationsContext) {
    this.#cluster = cluster;
    this.#sets = sets;
    this.#context = context;
    this.#ends = [cluster.subscribe(this), sets.subscribe((kind, change) => this.#setChanged(kind, change))];
  }

  /** Tells the listener what happens from now on; listeners are called in the order in which they subscribed. */
  subscribe(listener: ApplicationsListener): void {
    this.#listeners.add(listener);
  }

  /** Stops listening to the cluster. */
  stop(): void {
    for (const end of this.#ends) end();
    for (const application of this.all()) application.stop();
  }

  get size(): number {
    return this.#applications.size;
  }

  all(): IterableIterator<Application> {
    return this.#applications.values();
  }

  get(driverUid: string): Application | undefined {
    return this.#applications.get(driverUid);
  }

  /** The application of a running driver; its view is created with its first request. */
  of(driver: KubeObject): Application {
    const known = this.#applications.get(driver.metadata.uid);
    if (known !== undefined) return known;
    const application = new Application(driver, this.#context);
    const { id, namespace, driverUid, claims } = application;
    for (const pod of this.#cluster.podsOwnedBy(namespace, application.driverRef)) this.#seen(application, pod);
    for (const claim of this.#cluster.claimsOf(namespace, id)) {
      if (!this.#isOthers(claim, application)) claims.seen(claim);
    }
    for (const { kind, object } of this.#sets.ownedBy(namespace, driverUid)) {
      if (isOwnedBy(object, application.driverRef)) application.sets.seen(kind, object);
    }
    this.#applications.set(driverUid, application);
    this.#siblings(namespace, id).add(application);
    return application;
  }

  /** Drivers that asked an earlier gateway for sets do not ask again: the sets in the cluster say what they want. */
  adoptSets(): void {
    for (const { object } of this.#sets.all()) for (const owner of owningPods(object)) this.#withSets(object, owner);
  }

  /** A set of an application is in the cluster in this state. */
  setSeen(application: Application, kind: SetKind, set: KubeObject): void {
    application.sets.seen(kind, set);
    this.#tell((listener) => listener.setsChanged?.(application));
  }

  /** A set of an application has gone. */
  setGone(application: Application, kind: SetKind, { metadata: { name, uid } }: KubeObject): void {
    application.sets.gone(markOf(kind, name), uid);
    this.#tell((listener) => listener.setsChanged?.(application));
  }

  /** Whether a name of a pod is taken, in the cluster or by a pod that only a driver sees. */
  isPodNameTaken(namespace: string, name: string): boolean {
    const found = this.#cluster.pod(namespace, name);
    // An early executor that nobody has asked for is about to be deleted.
    if (found !== undefined && !isEarly(found)) return true;
    for (const application of this.#applications.values()) {
      const entry = application.namespace === namespace ? application.pods.get(name) : undefined;
      // An executor that was refused for good is only shown to its driver, and never created.
      if (entry !== undefined && entry.state.kind !== "refused") return true;
    }
    return false;
  }

  /**
   * Whether another driver of the namespace uses the same application id, or another object has its label. Then an object
   * with the label need not belong to this application.
   */
  sharesItsId(application: Application): boolean {
    const { namespace, id, driverUid, driverRef } = application;
    const isOther = (pod: KubeObject): boolean => pod.metadata.uid !== driverUid && !isOfDriver(pod, driverRef);
    return (
      this.#cluster.podsOf(namespace, id).some(isOther) ||
      this.#cluster.claimsOf(namespace, id).some((claim) => this.#isOthers(claim, application))
    );
  }

  /** Whether own objects of an executor are being created, or will be. */
  isCompleting(executor: KubeObject): boolean {
    const { name } = executor.metadata;
    return this.#owning(executor).some((application) => (application.executor(name)?.objects ?? []).length > 0);
  }

  changed(kind: WatchedKind, change: RecordChange<KubeObject>): void {
    if (kind === "claims") return this.#claimChanged(change);
    this.#tell((listener) => listener.changed?.());
    // A list may show a new pod under the name of a pod that was deleted unseen.
    if (change.type === "updated" && change.previous.metadata.uid !== change.record.metadata.uid) {
      this.changed(kind, { type: "deleted", record: change.previous, previous: change.previous });
    }
    const driven = this.#applications.get(change.record.metadata.uid);
    if (driven === undefined) this.#podChanged(change);
    else this.#driverChanged(driven, change);
    if (change.type === "deleted" || !isDriver(change.record)) return;
    const { namespace = "", name, uid } = change.record.metadata;
    for (const { object } of this.#sets.ownedBy(namespace, uid)) this.#withSets(object, { name, uid });
  }

  listed(kind: WatchedKind, namespace: string | undefined, version: string): void {
    this.#tell((listener) => listener.changed?.());
    for (const application of [...this.#applications.values()]) {
      const { namespace: own, pods, claims, driverName, driverUid } = application;
      if (namespace !== undefined && namespace !== own) continue;
      if (kind === "pods" && this.#cluster.pod(own, driverName)?.metadata.uid !== driverUid) this.#end(application);
      if (kind === "pods") pods.keepOnly((name) => this.#cluster.pod(own, name) !== undefined, version);
      else claims.keepOnly((name) => this.#cluster.claim(own, name) !== undefined, version);
    }
  }

  #driverChanged(application: Application, { type, record: object }: RecordChange<KubeObject>): void {
    if (type === "deleted" || !isDriver(object) || isOver(object)) this.#end(application);
    else application.driverSeen(object);
  }

  #podChanged(change: RecordChange<KubeObject>): void {
    const { record: object } = change;
    const isGone = change.type === "deleted";
    for (const application of this.#owning(object)) {
      if (isGone) this.#gone(application, object);
      else this.#seen(application, object);
      if (application.sets.size > 0) this.#tell((listener) => listener.setsChanged?.(application));
    }
    if (isExecutor(object) && (isGone || hasEnded(object))) {
      this.#tell((listener) => listener.roomMade?.(object.metadata.namespace ?? ""));
      if (!hadEnded(change)) this.#tell((listener) => listener.executorEnded?.(object));
    }
  }

  #gone({ pods }: Application, pod: KubeObject): void {
    if (isExecutor(pod) && !hasEnded(pod)) pods.seen(deletedAsSeen(pod));
    pods.gone(pod);
  }

  #seen(application: Application, pod: KubeObject): void {
    const { shown, isHeld } = this.#context;
    if (isKeeper(pod) || isHeld?.(pod.metadata.uid) === true) return application.pods.gone(pod);
    const seen = shown === undefined ? pod : shown(application, pod);
    if (seen !== undefined) application.pods.seen(seen);
  }

  #claimChanged({ type, record: object }: RecordChange<KubeObject>): void {
    const { namespace = "" } = object.metadata;
    for (const application of this.#byId.get(`${namespace}/${applicationIdOf(object)}`) ?? []) {
      if (this.#isOthers(object, application)) continue;
      if (type === "deleted") application.claims.gone(object);
      else application.claims.seen(object);
    }
  }

  /** Whether a claim belongs to another existing driver, or to one of its executors. */
  #isOthers(claim: KubeObject, { namespace, driverUid, driverRef }: Application): boolean {
    return owningPods(claim).some(({ name, uid }) => {
      const pod = this.#cluster.pod(namespace, name);
      return pod?.metadata.uid === uid && uid !== driverUid && !isOfDriver(pod, driverRef);
    });
  }

  /** The applications to which a pod belongs: at most one, unless somebody has edited its owners. */
  #owning(pod: KubeObject): Application[] {
    return driversOf(pod).flatMap((uid) => {
      const application = this.#applications.get(uid);
      return application !== undefined && isOfDriver(pod, application.driverRef) ? [application] : [];
    });
  }

  #setChanged(kind: SetKind, { type, record: object }: RecordChange<KubeObject>): void {
    for (const owner of owningPods(object)) {
      const application = this.#withSets(object, owner);
      if (application === undefined) continue;
      if (type === "deleted") this.setGone(application, kind, object);
      else this.setSeen(application, kind, object);
    }
  }

  /** The application of a running driver that owns a set. */
  #withSets({ metadata: { namespace = "" } }: KubeObject, { name, uid }: PodRef): Application | undefined {
    const known = this.#applications.get(uid);
    if (known !== undefined) return known.driverName === name ? known : undefined;
    const driver = this.#cluster.pod(namespace, name);
    if (driver?.metadata.uid !== uid || !isDriver(driver) || isOver(driver)) return undefined;
    const application = this.of(driver);
    this.#tell((listener) => listener.setsChanged?.(application));
    return application;
  }

  #end(application: Application): void {
    const { driverUid, namespace, id } = application;
    this.#applications.delete(driverUid);
    const siblings = this.#siblings(namespace, id);
    siblings.delete(application);
    if (siblings.size === 0) this.#byId.delete(`${namespace}/${id}`);
    application.end();
    this.#tell((listener) => listener.ended?.(application));
  }

  #tell(call: (listener: ApplicationsListener) => void): void {
    for (const listener of this.#listeners) call(listener);
  }

  #siblings(namespace: string, id: string): Set<Application> {
    const key = `${namespace}/${id}`;
    const known = this.#byId.get(key) ?? new Set();
    this.#byId.set(key, known);
    return known;
  }
}

/** Whether a pod had ended before this change. */
function hadEnded(change: RecordChange<KubeObject>): boolean {
  switch (change.type) {
    case "added":
      return false;
    case "updated":
      return hasEnded(change.previous);
    case "deleted":
      return hasEnded(change.record);
  }
}
