import type { KubeObject } from "@kindling/kube-objects";
import {
  againAfter,
  againLater,
  done,
  type EventRecorder,
  type ReconcileResult,
  type Term,
} from "@kindling/controller";
import { SCHEDULER_LAST_END_ANNOTATION, standInName } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { AuditedObject, AuditLog, Log } from "@kindling/service";
import { applicationIdOf, isDriver, podSubject } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import type { HeldDeletions } from "../held-deletions/held-deletions.ts";
import { holdLeftovers } from "../held-deletions/hold-leftovers.ts";
import type { DriverHealing } from "../memory-healing/driver-healing.ts";
import { times } from "./decide-restart.ts";
import { isDissolved } from "./driver-end.ts";
import { leftoversOf } from "./leftovers.ts";
import { restartsOf } from "./next-driver.ts";
import { nextStep, type RestartStep } from "./next-step.ts";
import { handOn } from "./owned-objects.ts";
import {
  clearAway,
  giveUp,
  hold,
  type Made,
  makeNext,
  makeStandIn,
  release,
  removeEnded,
  removeNow,
  schedule,
} from "./restart-steps.ts";
import { standInOf } from "./stand-in.ts";

export interface DriverRestartsOptions {
  readonly clock: Clock;
  readonly cluster: ClusterWatch;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly auditLog: AuditLog;
  /** Finds out whether the next driver or its executors need more memory. */
  readonly memory: Pick<DriverHealing, "annotations">;
  /** Holds the deletions of ended executors; undefined if nothing does. */
  readonly held: Pick<HeldDeletions, "has" | "hold" | "isHolding"> | undefined;
  readonly onRestarted: () => void;
}

/** A driver by `namespace/name`. */
type Key = string;

/** The reasons of events about restarts. */
type Announced = "DriverRestarted" | "RestartsExhausted" | "RestartRefused";

const WORKERS = 4;
const LOOK_AGAIN_MS = 1_000;
/** Their deletion ends within minutes. */
const MOST_DISSOLVED = 1_000;

/**
 * Restarts drivers that have ended, if their applications want it. All state is in pods: the driver's own pod, and the
 * stand-in pod that takes its place between two drivers.
 */
export class DriverRestarts {
  readonly #term: Term;
  readonly #options: DriverRestartsOptions;
  /** Uids of drivers that were being dissolved: their pods may show it only for a short time. */
  readonly #dissolved = new Set<string>();

  constructor(term: Term, options: DriverRestartsOptions) {
    this.#term = term;
    this.#options = options;
  }

  /** Watches all drivers until the end of the term. */
  run(): void {
    const { cluster, log } = this.#options;
    this.#term.run(
      {
        name: "driver-restart",
        workers: WORKERS,
        watches: [
          cluster.podKeys((pod) => {
            if (isDissolved(pod)) this.#rememberDissolved(pod.metadata.uid);
            return keysOf(pod);
          }),
        ],
        reconcile: (key) => this.#reconcile(key),
      },
      {
        onFault: (driver, error) => log.warn("a driver cannot be started again yet", { driver, error: String(error) }),
      },
    );
  }

  async #reconcile(key: Key): Promise<ReconcileResult> {
    const { cluster, clock } = this.#options;
    const [namespace = "", name = ""] = key.split("/");
    // Before everything has been listed, an existing object may seem to be missing.
    if (!cluster.isSynced) return againAfter(LOOK_AGAIN_MS);
    const driver = cluster.pod(namespace, name);
    const standIn = standInOf(cluster.pod(namespace, standInName(name)));
    const leftovers = driver === undefined ? [] : leftoversOf(driver, cluster);
    const dissolved = this.#dissolved.has(driver?.metadata.uid ?? "");
    const scene = { driver, standIn, leftovers, isDissolved: dissolved };
    return await this.#carryOut(key, nextStep(scene, clock.now()));
  }

  async #clear({ driver, leftovers }: Extract<RestartStep, { kind: "clear" }>): Promise<void> {
    const { clock, held } = this.#options;
    const { client } = this.#term;
    const now = held === undefined ? leftovers : holdLeftovers(client, held, driver.metadata.uid, leftovers);
    await clearAway(client, now, clock.now());
  }

  /** @returns done if the pod was created; otherwise a retry after a growing wait */
  #after(key: Key, made: Made): ReconcileResult {
    if (made.kind === "made") return done;
    this.#options.log.warn("a driver cannot be started again yet", { driver: key, reason: made.message });
    return againLater;
  }

  async #carryOut(key: Key, step: RestartStep): Promise<ReconcileResult> {
    const { client } = this.#term;
    const { log, auditLog, memory, onRestarted } = this.#options;
    switch (step.kind) {
      case "none":
        return done;
      case "wait":
        return againAfter(step.ms);
      case "hold":
        await hold(client, step.driver);
        return done;
      case "release":
        // Events come first: somebody who sees that the pod was released can then find the reason.
        if (step.isExhausted) {
          await this.#tell(step.driver, "RestartsExhausted", `the driver is not started again: ${step.why}`);
        }
        await release(client, step.driver);
        log.info("a driver is not started again", { driver: key, reason: step.why });
        auditLog.write({ verb: "restart", decision: "forbid", reason: step.why, object: auditedOf(step.driver) });
        return done;
      case "schedule":
        await schedule(client, step.driver, step.at, await memory.annotations(step.driver));
        log.info("a driver is started again", { driver: key, reason: step.words, at: new Date(step.at).toISOString() });
        return done;
      case "clear":
        await this.#clear(step);
        return againAfter(LOOK_AGAIN_MS);
      case "stand-in": {
        const made = await makeStandIn(client, step.driver, step.next);
        if (made.kind !== "final") return this.#after(key, made);
        log.error("a driver cannot be started again", { driver: key, reason: made.message });
        await this.#tell(step.driver, "RestartRefused", `the driver cannot be started again: ${made.message}`);
        await giveUp(client, step.driver);
        return done;
      }
      case "hand-over":
        await handOn(client, step.standIn.next, step.driver.metadata.uid, step.standIn.pod);
        await removeEnded(client, step.driver);
        return done;
      case "make":
        return this.#after(key, await makeNext(client, step.standIn));
      case "finish": {
        const { driver, standIn } = step;
        await handOn(client, standIn.next, standIn.pod.metadata.uid, driver);
        await removeNow(client, standIn.pod);
        onRestarted();
        log.info("a driver was started again", { driver: key, restarts: restartsOf(driver).total });
        auditLog.write({
          verb: "restart",
          decision: "allow",
          reason: restartedMessage(driver),
          object: auditedOf(driver),
        });
        await this.#tell(driver, "DriverRestarted", restartedMessage(driver));
        return done;
      }
      case "abandon":
        await removeNow(client, step.standIn.pod);
        log.info("a restart was given up", { driver: key, reason: step.why });
        return done;
    }
  }

  #rememberDissolved(uid: string): void {
    this.#dissolved.add(uid);
    const [oldest] = this.#dissolved;
    if (this.#dissolved.size > MOST_DISSOLVED && oldest !== undefined) this.#dissolved.delete(oldest);
  }

  /** A failed event is no reason to stop. */
  async #tell(driver: KubeObject, reason: Announced, message: string): Promise<void> {
    const { events, log } = this.#options;
    try {
      // One event for each pod and reason.
      await events.tellOnce(podSubject(driver), { type: "Warning", name: reason.toLowerCase(), reason, message });
    } catch (error) {
      log.warn("an event cannot be written", { reason, error: String(error) });
    }
  }
}

function auditedOf(driver: KubeObject): AuditedObject {
  const { namespace, name, uid } = driver.metadata;
  return { namespace, application: applicationIdOf(driver), resource: "pods", name, uid };
}

/** The driver itself, or the driver for which the pod is a stand-in. */
function keysOf(pod: KubeObject): readonly Key[] {
  const { namespace = "", name } = isDriver(pod) ? pod.metadata : (standInOf(pod)?.next.metadata ?? {});
  return name === undefined ? [] : [`${namespace}/${name}`];
}

function restartedMessage(driver: KubeObject): string {
  const { total } = restartsOf(driver);
  const words = driver.metadata.annotations?.[SCHEDULER_LAST_END_ANNOTATION] ?? "for unknown reasons";
  return `the driver was started again (${times(total)} by now); the last one ended: ${words}`;
}
