import { done, type RunningController, type Term } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import { type Clock, within } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import type { PodInCluster } from "../../cluster/let-go.ts";
import { inParallel } from "../../cluster/in-parallel.ts";
import type { RecorderAnswer, RecorderQuestions } from "./recorder-questions.ts";

/** Why the deletion of a pod goes on. */
export type HoldOutcome = RecorderAnswer | "timed-out" | "stopped";

export interface HeldDeletionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: Pick<ClusterWatch, "subscribe">;
  readonly questions: Pick<RecorderQuestions, "isAway" | "endOf">;
  /** Those about executors that run. They are apart, so that nobody waits for the logs of others. */
  readonly runningQuestions: Pick<RecorderQuestions, "isRestarting" | "endOf">;
  /** Told of each pod when its deletion goes on, and how long it was held. */
  readonly onReleased: (outcome: HoldOutcome, seconds: number) => void;
}

/** The pod of an ended executor. */
export interface EndedPod extends PodInCluster {
  /** Whether all of its containers have ended. */
  readonly isOver: boolean;
}

/** A deletion that waits, or that failed and is tried again. */
interface Held {
  readonly key: string;
  /** The uid of the driver. */
  readonly driver: string;
  readonly pods: readonly EndedPod[];
  readonly send: () => Promise<void>;
  readonly begun: number;
  readonly answers: Map<string, RecorderAnswer>;
  readonly cancel: () => void;
  readonly onReleased: () => void;
  isReleased: boolean;
}

interface OfDriver {
  readonly held: Set<Held>;
  /** Resolves when none of them waits any longer. */
  released: Promise<void>;
}

export interface HoldOptions {
  /** Whether it also waits for the earlier deletions of this driver, because it deletes their pods as well. */
  readonly isLast?: boolean;
}

/** However slow the recorder is, a deletion goes on after this time. With thousands of them, the last is sent within 5 s, too. */
const HOLD_MS = 4_500;
/** A driver waits for its answer, so an executor that runs is deleted after this time, followed or not. */
const FOLLOWED_MS = 1_000;
const SENT_AT_ONCE = 64;
const END_MS = 8_000;

/**
 * Deletions of the pods of ended executors, which wait until the recorder has read their logs. For their driver they are gone.
 * A deletion that fails is tried again.
 *
 * All of it is in this process alone. If the gateway is killed, the pods are there, and their driver sees them again at the next
 * gateway: as ended ones, which Spark deletes once more (`ExecutorPodsLifecycleManager.removeExecutorFromK8s`). If the driver has
 * ended, too, they go with its pod, which owns them. Until then they take no room.
 */
export class HeldDeletions {
  readonly #options: HeldDeletionsOptions;
  readonly #running: RunningController;
  /** Those that are not carried out yet, by key. */
  readonly #held = new Map<string, Held>();
  /** The same, by the uid of the driver. */
  readonly #byDriver = new Map<string, OfDriver>();
  /** The uids of pods whose deletion is held, or that are not gone from the cluster yet. */
  readonly #uids = new Set<string>();
  #lastKey = 0;
  #isStopping = false;

  constructor(term: Term, options: HeldDeletionsOptions) {
    this.#options = options;
    term.onEnd(
      options.cluster.subscribe({
        changed: (_, change) => {
          const { uid } = (change.type === "updated" ? change.previous : change.record).metadata;
          if (change.type === "deleted" || uid !== change.record.metadata.uid) this.#uids.delete(uid);
        },
        listed: () => undefined,
      }),
    );
    // After the controllers have stopped, so that no deletion is sent twice.
    term.onEnd(() => this.#end());
    this.#running = term.run(
      {
        name: "held-deletions",
        watches: [],
        workers: SENT_AT_ONCE,
        reconcile: async (key) => {
          await this.#send(key);
          return done;
        },
      },
      { onFault: (key, error) => this.#failed(key, error) },
    );
  }

  /** Whether deletions are held at present. */
  get isHolding(): boolean {
    return !this.#isStopping && !this.#options.questions.isAway;
  }

  /** Whether a pod is gone for its driver, though it is still in the cluster. */
  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /** Whether there are deletions of a driver that are not carried out, and whether some of the pods still run something. */
  of(driver: string): "none" | "over" | "running" {
    const held = [...(this.#byDriver.get(driver)?.held ?? [])];
    if (held.length === 0) return "none";
    return held.every(({ pods }) => pods.every(({ isOver }) => isOver)) ? "over" : "running";
  }

  /**
   * Holds the deletion of pods until the recorder has read the logs of all of them.
   *
   * @param driver the uid of the driver
   * @param send deletes them; it is called again if it fails
   */
  hold(
    driver: string,
    pods: readonly EndedPod[],
    send: () => Promise<void>,
    { isLast = false }: HoldOptions = {},
  ): void {
    const { clock, questions } = this.#options;
    const own: OfDriver = this.#byDriver.get(driver) ?? { held: new Set(), released: Promise.resolve() };
    const earlier = own.released;
    let onReleased: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (onReleased = resolve));
    own.released = Promise.all([earlier, released]).then(() => undefined);
    const held: Held = {
      ...{ key: String(++this.#lastKey), driver, pods, send, begun: clock.monotonic(), answers: new Map() },
      cancel: clock.after(HOLD_MS, () => this.#release(held, "timed-out")),
      ...{ onReleased, isReleased: false },
    };
    own.held.add(held);
    this.#byDriver.set(driver, own);
    this.#held.set(held.key, held);
    for (const { uid } of pods) this.#uids.add(uid);
    const asking = pods.map(async (pod): Promise<void> => {
      held.answers.set(pod.uid, await questions.endOf(pod));
    });
    if (isLast) asking.push(earlier);
    void Promise.all(asking).then(() => this.#release(held, "unknown"));
  }

  /**
   * Waits until the recorder follows the logs of executors that run, or for a second; while the recorder may be starting again, for
   * longer. Kubernetes may throw a log away as soon as its container has ended.
   */
  async followed(pods: readonly PodInCluster[]): Promise<void> {
    const { clock, runningQuestions } = this.#options;
    const asking = Promise.all(pods.map((pod) => runningQuestions.endOf({ ...pod, running: true })));
    await within(clock, FOLLOWED_MS, asking, () => undefined);
    if (runningQuestions.isRestarting) await within(clock, HOLD_MS - FOLLOWED_MS, asking, () => undefined);
  }

  /** @param outcome of pods that the recorder has said nothing about */
  #release(held: Held, outcome: HoldOutcome): void {
    if (held.isReleased) return;
    held.isReleased = true;
    held.cancel();
    const seconds = (this.#options.clock.monotonic() - held.begun) / 1000;
    for (const { uid } of held.pods) this.#options.onReleased(held.answers.get(uid) ?? outcome, seconds);
    held.onReleased();
    this.#running.add(held.key);
  }

  async #send(key: string): Promise<void> {
    const held = this.#held.get(key);
    if (held === undefined) return;
    await held.send();
    this.#held.delete(key);
    const own = this.#byDriver.get(held.driver);
    own?.held.delete(held);
    if (own?.held.size === 0) this.#byDriver.delete(held.driver);
  }

  #failed(key: string, error: unknown): void {
    const [first, ...others] = this.#held.get(key)?.pods ?? [];
    this.#options.log.warn("the pod of an ended executor cannot be deleted, and it is tried again", {
      ...{ namespace: first?.namespace, name: first?.name, others: others.length, error: messageOf(error) },
    });
  }

  /** Nothing waits any longer: the next gateway knows nothing of it. */
  async #end(): Promise<void> {
    const { clock, log } = this.#options;
    this.#isStopping = true;
    const left = [...this.#held.values()];
    for (const held of left) this.#release(held, "stopped");
    const enough = new AbortController();
    let last: unknown;
    const sending = inParallel(left, SENT_AT_ONCE, async ({ key }) => {
      if (!enough.signal.aborted) await this.#send(key).catch((error: unknown) => (last = error));
    });
    await within(clock, END_MS, sending, () => enough.abort());
    if (this.#held.size === 0) return;
    const error = last === undefined ? "there was no more time" : messageOf(last);
    log.warn("pods of ended executors were not deleted before the end", { deletions: this.#held.size, error });
  }
}
