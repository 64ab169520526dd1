import type { KubeObject } from "@kindling/api-server";
import { SCHEDULER_LAST_END_ANNOTATION, standInName } from "@kindling/core-spec";
import { createWorkQueue, type KubeClient, perKeyBackoff, type WorkQueue } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { isDriver } from "../spark/spark-pod.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import { times } from "./decide-restart.ts";
import { isDissolved } from "./driver-end.ts";
import { leftoversOf } from "./leftovers.ts";
import { restartsOf } from "./next-driver.ts";
import { nextStep, type RestartStep } from "./next-step.ts";
import { handOn } from "./owned-objects.ts";
import {
  announce,
  type Announcement,
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

export interface DriverRestartsOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly cluster: ClusterWatch;
  readonly log: Log;
  readonly onRestarted: () => void;
}

/** A driver by `namespace/name`. */
type Key = string;

const WORKERS = 4;
const LOOK_AGAIN_MS = 1_000;
/** They end within minutes. */
const MOST_DISSOLVED = 1_000;
const DONE: Made = { kind: "made" };

/**
 * Starts drivers again that have ended, where their applications want that. All that there is to know stands in the pods:
 * the driver's own, and the one that stands in for it between two drivers.
 */
export class DriverRestarts {
  readonly #options: DriverRestartsOptions;
  readonly #queue: WorkQueue<Key>;
  readonly #workers: Promise<void>[];
  readonly #unwatch: () => void;
  /** Uids of drivers that were seen being dissolved: they may not look like it for long. */
  readonly #dissolved = new Set<string>();

  constructor(options: DriverRestartsOptions) {
    this.#options = options;
    const { clock, random, cluster } = options;
    const backoff = perKeyBackoff<Key>(200, 30_000);
    const rateLimiter = { ...backoff, delayMs: (key: Key) => backoff.delayMs(key) * (0.5 + random.fraction() / 2) };
    this.#queue = createWorkQueue<Key>({ clock, rateLimiter });
    this.#unwatch = cluster.onPod((pod) => {
      const key = keyOf(pod);
      if (key === undefined) return;
      if (isDissolved(pod)) this.#rememberDissolved(pod.metadata.uid);
      this.#queue.add(key);
    });
    this.#workers = Array.from({ length: WORKERS }, () => this.#work());
  }

  /** Ends what is under way; the rest is left to whoever comes next. */
  async stop(): Promise<void> {
    this.#unwatch();
    this.#queue.shutDown();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.get(); key !== undefined; key = await this.#queue.get()) {
      try {
        await this.#goOn(key);
      } catch (error) {
        this.#options.log.warn("a driver cannot be started again yet", { driver: key, error: String(error) });
        this.#queue.addRateLimited(key);
      }
      this.#queue.done(key);
    }
  }

  async #goOn(key: Key): Promise<void> {
    const { cluster, clock } = this.#options;
    const [namespace = "", name = ""] = key.split("/");
    // Before all has been seen, something that is there may seem to be missing.
    if (!cluster.isSynced) return this.#queue.addAfter(key, LOOK_AGAIN_MS);
    const driver = cluster.pod(namespace, name);
    const standIn = standInOf(cluster.pod(namespace, standInName(name)));
    const leftovers = driver === undefined ? [] : leftoversOf(driver, cluster);
    const dissolved = this.#dissolved.has(driver?.metadata.uid ?? "");
    const scene = { driver, standIn, leftovers, isDissolved: dissolved };
    const made = await this.#carryOut(key, nextStep(scene, clock.now()));
    if (made.kind === "made") this.#queue.forget(key);
    else {
      this.#options.log.warn("a driver cannot be started again yet", { driver: key, reason: made.message });
      this.#queue.addRateLimited(key);
    }
  }

  async #carryOut(key: Key, step: RestartStep): Promise<Made> {
    const { client, clock, log, onRestarted } = this.#options;
    switch (step.kind) {
      case "none":
        return DONE;
      case "wait":
        this.#queue.addAfter(key, step.ms);
        return DONE;
      case "hold":
        await hold(client, step.driver);
        return DONE;
      case "release":
        // First: whoever sees the pod let go shall find out why.
        if (step.isExhausted) {
          await this.#tell(step.driver, "RestartsExhausted", `the driver is not started again: ${step.why}`);
        }
        await release(client, step.driver);
        log.info("a driver is not started again", { driver: key, reason: step.why });
        return DONE;
      case "schedule":
        await schedule(client, step.driver, step.at);
        log.info("a driver is started again", { driver: key, reason: step.words, at: new Date(step.at).toISOString() });
        return DONE;
      case "clear":
        await clearAway(client, step.leftovers, clock.now());
        this.#queue.addAfter(key, LOOK_AGAIN_MS);
        return DONE;
      case "stand-in": {
        const made = await makeStandIn(client, step.driver, step.next);
        if (made.kind !== "final") return made;
        log.error("a driver cannot be started again", { driver: key, reason: made.message });
        await this.#tell(step.driver, "RestartRefused", `the driver cannot be started again: ${made.message}`);
        await giveUp(client, step.driver);
        return DONE;
      }
      case "hand-over":
        await handOn(client, step.standIn.next, step.driver.metadata.uid, step.standIn.pod);
        await removeEnded(client, step.driver);
        return DONE;
      case "make":
        return await makeNext(client, step.standIn);
      case "finish": {
        const { driver, standIn } = step;
        await handOn(client, standIn.next, standIn.pod.metadata.uid, driver);
        await removeNow(client, standIn.pod);
        onRestarted();
        log.info("a driver was started again", { driver: key, restarts: restartsOf(driver).total });
        await this.#tell(driver, "DriverRestarted", restartedMessage(driver));
        return DONE;
      }
      case "abandon":
        await removeNow(client, step.standIn.pod);
        log.info("a restart was given up", { driver: key, reason: step.why });
        return DONE;
    }
  }

  #rememberDissolved(uid: string): void {
    this.#dissolved.add(uid);
    const [oldest] = this.#dissolved;
    if (this.#dissolved.size > MOST_DISSOLVED && oldest !== undefined) this.#dissolved.delete(oldest);
  }

  /** That people are not told is no reason to stop. */
  async #tell(driver: KubeObject, reason: Announcement["reason"], message: string): Promise<void> {
    const { client, clock, log } = this.#options;
    try {
      await announce(client, driver, { reason, message, at: clock.now() });
    } catch (error) {
      log.warn("an event cannot be written", { reason, error: String(error) });
    }
  }
}

/** The driver that a pod is, or stands in for. */
function keyOf(pod: KubeObject): Key | undefined {
  const { namespace = "", name } = isDriver(pod) ? pod.metadata : (standInOf(pod)?.next.metadata ?? {});
  return name === undefined ? undefined : `${namespace}/${name}`;
}

function restartedMessage(driver: KubeObject): string {
  const { total } = restartsOf(driver);
  const words = driver.metadata.annotations?.[SCHEDULER_LAST_END_ANNOTATION] ?? "for unknown reasons";
  return `the driver was started again (${times(total)} by now); the last one ended: ${words}`;
}
