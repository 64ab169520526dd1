import { formatTime, type KubeObject } from "@kindling/kube-objects";
import { againAfter, done, keyOf, type ReconcileResult, type Term } from "@kindling/controller";
import { messageOf, SCHEDULER_EARLY_EXECUTORS_ANNOTATION, SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import type { ExecutorSteps } from "../executors/steps/executor-steps.ts";
import type { MemoryHealing } from "../memory-healing/memory-healing.ts";
import { heldFor } from "../executors/steps/own-objects.ts";
import { seededIdentifiers } from "../executors/steps/seeded-identifiers.ts";
import { textAt } from "../../json/fields.ts";
import type { Log } from "@kindling/service";
import { type ExecutorLimits, refusedExecutor } from "../../checks/check-executor.ts";
import { withoutToken } from "../../checks/pod-policy.ts";
import { virtualPod } from "../../views/virtual-pod.ts";
import { writeHandover } from "../executors/write-handover.ts";
import { makeUnseen } from "../../views/make-now.ts";
import { ownedByDriver } from "../../spark/owned-by-driver.ts";
import { wholeNumber } from "../driver-restarts/restart-wish.ts";
import { hasEnded, isDriver } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { Entry } from "../../views/entry.ts";
import { EARLY, isEarly } from "../../spark/marks.ts";
import { driverStartedAt } from "./driver-started.ts";
import { executorTemplate } from "./executor-template.ts";
import { foresee, type Foresight } from "./foresight.ts";
import { specDifference } from "./spec-difference.ts";
import { isOver } from "../../spark/driver-phase.ts";

export interface EarlyExecutorsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  readonly executorSteps: ExecutorSteps;
  readonly limits: ExecutorLimits;
  readonly healing: Pick<MemoryHealing, "settled" | "sized">;
  /** Called when executors wait for their admission. */
  readonly onWaiting: () => void;
  /** Called when there is something to do for an executor. */
  readonly make: (application: Application, entry: Entry) => void;
  readonly onEnd: (outcome: EarlyOutcome) => void;
}

/** The outcome for an executor that was created early. */
export type EarlyOutcome = "handed" | "released";

/** What a driver asks for. */
export interface AskedExecutor {
  readonly object: KubeObject;
  readonly fingerprint: string;
}

/** If a driver has not asked for its executors after this time, it perhaps never will. */
const PATIENCE_MS = 300_000;
/** After this time, the driver may ask at any moment. */
const TOO_LATE_MS = 10_000;
const LOOK_MS = 30_000;
/** How many drivers are handled at once. */
const WORKERS = 16;

/**
 * Creates executors before their driver asks for them. As soon as the driver's pod has an address, the gateway works out from
 * the driver's configuration which executors it will ask for. These are admitted and scheduled like others, get their image
 * and their files, and wait in an init container until the driver accepts executors. The driver sees them when it asks for
 * them. If it asks for different ones, the early ones are deleted, and it gets what it has asked for.
 *
 * Early executors that have not been asked for are marked in the cluster, for a gateway that starts later.
 */
export class EarlyExecutors {
  readonly #term: Term;
  readonly #options: EarlyExecutorsOptions;
  readonly #foresights = new WeakMap<Application, Promise<Foresight | undefined>>();
  /** Drivers that have been handled, by uid. */
  readonly #known = new Set<string>();
  #isStopped = false;

  constructor(term: Term, options: EarlyExecutorsOptions) {
    this.#term = term;
    this.#options = options;
    const { cluster, applications } = options;
    applications.subscribe({ ended: (application) => this.#ended(application) });
    term.run({
      name: "early-executors",
      workers: WORKERS,
      watches: [cluster.podKeys((pod) => (isDriver(pod) && wished(pod) > 0 ? [keyOf(pod.metadata)] : []))],
      reconcile: (key) => this.#reconcile(key),
    });
    term.onEnd(() => (this.#isStopped = true));
  }

  async #reconcile(key: string): Promise<ReconcileResult> {
    const { cluster, applications, clock } = this.#options;
    const driver = cluster.podAt(key);
    if (driver === undefined || isOver(driver)) return done;
    const { uid } = driver.metadata;
    if (!this.#known.has(uid) && this.#mayStart(driver)) {
      this.#known.add(uid);
      await this.#attempt(applications.of(driver));
    }
    const startedAt = driverStartedAt(driver);
    if (startedAt === undefined) return done;
    const patienceMs = startedAt + PATIENCE_MS - clock.now();
    if (patienceMs > 0) return againAfter(patienceMs);
    const application = applications.get(uid);
    if (application !== undefined) this.#release(application, application.pods.unasked());
    // If a driver has not asked for anything yet, a gateway that has just started does not know which of its executors are
    // early.
    return application === undefined ? againAfter(LOOK_MS) : done;
  }

  async #attempt(application: Application): Promise<void> {
    try {
      await this.#start(application);
    } catch (error) {
      const { namespace, id } = application;
      // Nothing is lost: the driver will ask for its executors itself.
      this.#options.log.warn("executors cannot be made early", { namespace, application: id, error: messageOf(error) });
    }
  }

  /** An application is over: executors that its driver has not asked for are no longer needed. */
  #ended({ driverUid, driverRef, namespace }: Application): void {
    this.#known.delete(driverUid);
    const early = this.#options.cluster.podsOwnedBy(namespace, driverRef).filter(isEarly);
    for (const { metadata } of early) this.#takeAway({ ...metadata, namespace });
  }

  /**
   * Gives a driver the executor that it asks for, if it is there.
   *
   * @returns whether it was there; otherwise the name is free, or will be soon
   */
  async hand(application: Application, { object, fingerprint }: AskedExecutor): Promise<boolean> {
    const { name, labels = {}, annotations = {} } = object.metadata;
    const entry = application.executor(name);
    if (entry === undefined || !application.pods.isUnasked(entry)) return false;
    // If this fails, the driver still gets what it asks for.
    const foresight = await this.#foresight(application).catch(() => undefined);
    const foreseen = foresight?.executor(idOf(object));
    // It may have been deleted in the meantime.
    if (!application.pods.isUnasked(entry)) return false;
    const current = application.pods.current(entry);
    const field = foreseen === undefined ? "spec" : specDifference(foreseen, object);
    if (field !== undefined) {
      const { namespace, id } = application;
      const words = "the driver asks for other executors than its configuration says";
      this.#options.log.info(words, { namespace, application: id, name, field });
      this.#release(application, application.pods.unasked());
      return false;
    }
    const isThere = entry.state.kind === "real" || entry.state.kind === "creating";
    if (!isThere || current === undefined || hasEnded(current)) {
      this.#release(application, [entry]);
      return false;
    }
    entry.handover = { labels, annotations };
    application.pods.asked(entry, fingerprint);
    await this.#writeDown(application, entry);
    this.#options.onEnd("handed");
    return true;
  }

  /** A driver has asked for an executor. Since ids only grow, it will not ask for a lower id any more. */
  passed(application: Application, executor: KubeObject): void {
    const unasked = application.pods.unasked();
    if (unasked.length === 0) return;
    const id = idOf(executor);
    const lower = unasked.filter((entry) => idOf(application.pods.current(entry)) < id);
    this.#release(application, lower);
  }

  #mayStart(driver: KubeObject): boolean {
    const { cluster, clock } = this.#options;
    const { namespace = "", deletionTimestamp } = driver.metadata;
    if (wished(driver) === 0 || textAt(driver, "status", "podIP") === undefined) return false;
    if (isOver(driver) || deletionTimestamp !== undefined) return false;
    const started = driverStartedAt(driver);
    const isLate = started !== undefined && clock.now() - started > TOO_LATE_MS;
    return !isLate && cluster.podsOwnedBy(namespace, driver.metadata).length === 0;
  }

  /**
   * Written before the driver is answered, so that a gateway that starts later knows it. For an executor that is still being
   * created, it is written later.
   */
  async #writeDown(application: Application, entry: Entry): Promise<void> {
    const { make } = this.#options;
    try {
      await writeHandover(this.#term.client, application, entry);
    } catch {
      // It is tried again, until it works.
    }
    if (entry.handover !== undefined) make(application, entry);
  }

  async #start(application: Application): Promise<void> {
    const { client } = this.#term;
    const { clock, executorSteps, applications, limits, healing, onWaiting } = this.#options;
    const { driver, namespace } = application;
    const count = Math.min(wished(driver), limits.most);
    const foresight = await this.#foresight(application);
    const first = foresight?.executor(1);
    if (foresight === undefined || first === undefined || this.#isOver(application)) return;
    const configure = await executorSteps.of(application);
    const { wanted } = configure(ownedByDriver(first, driver));
    if (refusedExecutor(wanted, application, limits) !== undefined) return;
    await healing.settled(application);
    await makeUnseen(client, UPSTREAM.configmaps, foresight.configMap, "early");
    for (let id = 1; id <= count; id++) {
      const pod = foresight.executor(id);
      // The driver may have been faster.
      if (pod === undefined || this.#isOver(application) || application.executors > 0) break;
      const { name } = pod.metadata;
      if (applications.isPodNameTaken(namespace, name)) break;
      const made = configure(ownedByDriver(pod, driver));
      const { pod: configured, objects } = heldFor({ ...made, pod: withoutToken(made.pod, made.wanted, driver) });
      const sized = healing.sized(application, configured);
      const request = foresight.waiting(marked(sized, application));
      const { metadata } = request;
      const uid = seededIdentifiers(`${application.driverUid}/${name}`).uuid("early executor");
      const known = { ...metadata, uid, creationTimestamp: formatTime(clock.now()), resourceVersion: "0" };
      const object = { ...virtualPod(request, clock.now()), metadata: known };
      application.wait(application.pods.expect({ object, request, objects }));
    }
    if (application.waitingExecutors > 0) onWaiting();
  }

  #isOver(application: Application): boolean {
    return this.#isStopped || application.isOver;
  }

  async #foresight(application: Application): Promise<Foresight | undefined> {
    const known = this.#foresights.get(application) ?? this.#foresee(application);
    this.#foresights.set(application, known);
    try {
      return await known;
    } catch (error) {
      // The next attempt may succeed.
      this.#foresights.delete(application);
      throw error;
    }
  }

  async #foresee(application: Application): Promise<Foresight | undefined> {
    const recipe = await this.#options.executorSteps.recipe(application);
    const address = textAt(application.driver, "status", "podIP");
    if (recipe === undefined || address === undefined) return undefined;
    const template = await executorTemplate(this.#term.client, application.driver, recipe.conf);
    return foresee(recipe, application, { address, template });
  }

  #release(application: Application, entries: readonly Entry[]): void {
    const { namespace } = application;
    for (const entry of entries) {
      const { name, state } = entry;
      application.drop(entry);
      this.#options.onEnd("released");
      if (state.kind === "real") this.#takeAway({ name, namespace, uid: state.uid });
    }
  }

  /** If this fails, it is deleted when the driver wants its name, or when the driver has ended. */
  #takeAway(metadata: { readonly name: string; readonly namespace: string; readonly uid: string }): void {
    const { log } = this.#options;
    takeAway(this.#term.client, UPSTREAM.pods, { metadata }).catch((error: unknown) => {
      const { namespace, name } = metadata;
      log.warn("an early executor cannot be deleted", { namespace, name, error: messageOf(error) });
    });
  }
}

function wished({ metadata: { annotations } }: KubeObject): number {
  return Math.max(0, wholeNumber(annotations?.[SCHEDULER_EARLY_EXECUTORS_ANNOTATION]) ?? 0);
}

function marked(pod: KubeObject, { namespace }: Application): KubeObject {
  const { metadata } = pod;
  return { ...pod, metadata: { ...metadata, namespace, annotations: { ...metadata.annotations, [EARLY]: "true" } } };
}

function idOf(executor: KubeObject | undefined): number {
  return Number(executor?.metadata.labels?.[SPARK_EXECUTOR_ID_LABEL] ?? 0) || 0;
}
