import {
  againAfter,
  againLater,
  type Controller,
  done,
  keyOf,
  type ReconcileResult,
  type RunningController,
  type Term,
} from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Demands } from "../../admission/demand/demands.ts";
import { executorsByProfile, kueueApplication, type KueueScene } from "../../admission/kueue/kueue-application.ts";
import type { KueueWatch } from "../../admission/kueue/kueue-watch.ts";
import { planWorkloads, type WorkloadStep } from "../../admission/kueue/plan-workloads.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isDriver, owningPods } from "../../spark/spark-pod.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { kueueWords } from "./kueue-words.ts";
import { Settling } from "./settling.ts";
import type { StepOutcome, WorkloadSteps } from "./workload-steps.ts";

export interface KueueWorkloadsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  readonly kueue: KueueWatch;
  readonly demands: Pick<Demands, "localQueueOf" | "kueueFacts">;
  readonly steps: WorkloadSteps;
  /** Told why an application waits; an empty list if it does not. */
  readonly onWaits: (driverUid: string, words: readonly string[]) => void;
}

const WORKERS = 16;
const AGAIN_MS = 1_000;
/** The pause after a gate could not be opened, or an executor not asked to leave. */
const AFTER_FAILURE_MS = 5_000;
/** How often it is checked whether Kueue can be used. */
const MISSING_MS = 5_000;
/**
 * How long quota may be unused before it is given back. A driver asks for another executor about a second after it has lost
 * one.
 */
const UNUSED_MS = 3_000;
/** Changes that come within this time are planned together. */
const TOGETHER_MS = 20;

/**
 * Keeps the Workloads of applications in LocalQueues of Kueue as they have to be, and carries out what Kueue decides: opens
 * the gates of drivers, admits as many executors as there is quota for, and lets executors leave when Kueue takes quota back.
 * All state is in the cluster: in the Workloads, and in the pods.
 */
export class KueueWorkloads {
  readonly #options: KueueWorkloadsOptions;
  readonly #running: RunningController;
  /** Since when an application has not used some of its quota, by the uid of the driver, by the monotonic clock. */
  readonly #unusedSince = new Map<string, number>();
  readonly #settling: Settling;
  /** The drivers in LocalQueues, by their keys. */
  readonly #uids = new Map<string, string>();
  #isLooking = false;

  constructor(term: Term, options: KueueWorkloadsOptions) {
    this.#options = options;
    this.#settling = new Settling(options.clock);
    const { cluster, kueue } = options;
    const controller: Controller = {
      name: "kueue-workloads",
      watches: [cluster.podKeys((pod) => this.#keysOf(pod)), kueue.driverKeys],
      workers: WORKERS,
      reconcile: (key) => this.#reconcile(key),
    };
    this.#running = term.run(controller);
    term.onEnd(
      kueue.whenUsable(() => cluster.gatewayDrivers().forEach(({ metadata }) => this.#running.add(keyOf(metadata)))),
    );
  }

  /** Called when drivers may have asked for executors. */
  look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock, applications, demands } = this.#options;
    clock.after(TOGETHER_MS, () => {
      this.#isLooking = false;
      for (const { driver, waitingExecutors } of applications.all())
        if (waitingExecutors > 0 && demands.localQueueOf(driver) !== undefined)
          this.#running.add(keyOf(driver.metadata));
    });
  }

  /** Something could not be done for this driver or executor. */
  tryAgain(pod: KubeObject): void {
    for (const key of this.#keysOf(pod)) this.#running.addAfter(key, AFTER_FAILURE_MS);
  }

  /** Forgets the driver that had this name before. */
  #remember(key: string, uid: string | undefined): void {
    const before = this.#uids.get(key);
    if (uid === undefined) this.#uids.delete(key);
    else this.#uids.set(key, uid);
    if (before === undefined || before === uid) return;
    this.#unusedSince.delete(before);
    this.#settling.forget(before);
    this.#options.onWaits(before, []);
  }

  #keysOf(pod: KubeObject): readonly string[] {
    if (isDriver(pod)) return [keyOf(pod.metadata)];
    const { namespace = "" } = pod.metadata;
    const [owner] = owningPods(pod);
    if (owner !== undefined) return [`${namespace}/${owner.name}`];
    const driver = this.#options.cluster.driverOf(pod);
    return driver === undefined ? [] : [keyOf(driver.metadata)];
  }

  async #reconcile(key: string): Promise<ReconcileResult> {
    const { cluster, kueue, demands, onWaits } = this.#options;
    if (!cluster.isSynced) return againAfter(AGAIN_MS);
    const driver = cluster.podAt(key);
    const localQueue = driver && isDriver(driver) ? demands.localQueueOf(driver) : undefined;
    const uid = driver?.metadata.uid ?? "";
    this.#remember(key, localQueue === undefined ? undefined : uid);
    if (driver === undefined || localQueue === undefined) return done;
    const { missing } = kueue;
    if (missing !== undefined) {
      onWaits(uid, [`waiting in LocalQueue ${localQueue} of Kueue (${missing})`]);
      return againAfter(MISSING_MS);
    }
    const facts = { ...demands.kueueFacts(driver), workloads: kueue.workloadsOf(uid) };
    try {
      const result = await this.#carryOut({ ...facts, profiles: executorsByProfile(facts) }, localQueue);
      onWaits(uid, kueueWords(localQueue, kueue.workloadsOf(uid)));
      return result;
    } catch (error) {
      onWaits(uid, [`waiting in LocalQueue ${localQueue} of Kueue (${messageOf(error)})`]);
      throw error;
    }
  }

  async #carryOut(facts: KueueScene, localQueue: string): Promise<ReconcileResult> {
    const { clock } = this.#options;
    const { uid } = facts.driver.metadata;
    // A driver that is being deleted takes its Workloads with it.
    if (facts.driver.metadata.deletionTimestamp !== undefined) return done;
    const since = this.#unusedSince.get(uid);
    const mayGiveBack = since !== undefined && clock.monotonic() - since >= UNUSED_MS;
    const plan = planWorkloads(kueueApplication(facts), facts.workloads, mayGiveBack);
    const growing = plan.steps.filter(asksForMore);
    const { executors, unlisted } = facts.requested;
    const waitMs = growing.length === 0 ? 0 : this.#settling.waitMs(uid, executors.length + unlisted);
    const now = waitMs === 0 ? plan.steps : plan.steps.filter((step) => !growing.includes(step));
    let outcome: StepOutcome = "done";
    for (const step of now) outcome = worse(outcome, await this.#take(step, facts, localQueue));
    if (plan.unused === 0 || mayGiveBack) this.#unusedSince.delete(uid);
    else if (since === undefined) this.#unusedSince.set(uid, clock.monotonic());
    if (outcome === "again") return againLater;
    if (waitMs > 0) return againAfter(waitMs);
    return plan.unused > 0 && !mayGiveBack ? againAfter(UNUSED_MS) : done;
  }

  async #take(step: WorkloadStep, facts: KueueScene, localQueue: string): Promise<StepOutcome> {
    const { log, steps } = this.#options;
    const { name, namespace } = facts.driver.metadata;
    log.debug("a step for Kueue", { namespace, driver: name, step: step.kind });
    return await steps.carryOut(step, facts, localQueue);
  }
}

/** Whether a step asks for executors beyond the minimum. */
function asksForMore(step: WorkloadStep): boolean {
  if (step.kind === "create") return step.part === "surplus";
  return step.kind === "ask" && step.executors > step.workload.executors;
}

function worse(one: StepOutcome, other: StepOutcome): StepOutcome {
  return one === "again" ? one : other;
}
