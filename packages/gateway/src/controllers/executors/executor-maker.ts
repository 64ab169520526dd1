import { againLater, done, type ReconcileResult, type RunningController, type Term } from "@kindling/controller";
import type { Outside } from "@kindling/outside";
import type { Applications } from "../../views/applications/applications.ts";
import type { Application } from "../../views/applications/application.ts";
import type { Entry } from "../../views/entry.ts";
import type { Progress } from "./progress.ts";
import { makeExecutor } from "./make-executor.ts";
import { QuotaWaits } from "./quota-waits.ts";
import { refusedPod, type WaitReason, waitingFor } from "../../views/virtual-pod.ts";

/** How an attempt to create an executor ended, for metrics. */
export type MakeOutcome = Progress["kind"] | "failed";

export interface ExecutorMakerOptions extends Pick<Outside, "clock" | "random"> {
  readonly applications: Pick<Applications, "subscribe">;
  /** How many executors are created at once. */
  readonly concurrency: number;
  readonly onOutcome: (outcome: MakeOutcome, application: Application, entry: Entry, message: string) => void;
}

/** An executor that is to be created. */
interface Task {
  readonly application: Application;
  readonly entry: Entry;
  /** Whether it tries even if the namespace is known to be full. */
  knocks: boolean;
  /** Whether it was requested again since the last attempt. */
  isAsked: boolean;
}

/**
 * Creates admitted executors in the cluster, several at once, until each of them is there, is refused for good or was
 * deleted. The pod that the driver sees says why an executor waits.
 */
export class ExecutorMaker {
  readonly #term: Term;
  readonly #options: ExecutorMakerOptions;
  /**
   * By the namespace and the uid that the driver was told. Names are not enough: a name may be requested again while the old
   * executor is being given up.
   */
  readonly #tasks = new Map<string, Task>();
  readonly #quota: QuotaWaits<string>;
  readonly #running: RunningController;

  constructor(term: Term, options: ExecutorMakerOptions) {
    this.#term = term;
    this.#options = options;
    const { applications, clock, random, concurrency } = options;
    this.#quota = new QuotaWaits(
      clock,
      () => random.fraction(),
      (key) => {
        const task = this.#tasks.get(key);
        if (task !== undefined) task.knocks = true;
        this.#running.add(key);
      },
    );
    term.onEnd(() => this.#quota.stop());
    applications.subscribe({ roomMade: (namespace) => this.#quota.roomMade(namespace) });
    this.#running = term.run({
      name: "executor",
      watches: [],
      workers: concurrency,
      reconcile: (key) => this.#reconcile(key),
    });
  }

  /** How many executors are being created. */
  get size(): number {
    return this.#tasks.size;
  }

  get waitingForQuota(): number {
    return this.#quota.size;
  }

  /** Creates an executor, or what was added to it later. */
  make(application: Application, entry: Entry): void {
    const key = `${application.namespace}/${entry.uid}`;
    const task = this.#tasks.get(key) ?? { application, entry, knocks: false, isAsked: true };
    task.isAsked = true;
    this.#tasks.set(key, task);
    this.#running.add(key);
  }

  async #reconcile(key: string): Promise<ReconcileResult> {
    const task = this.#tasks.get(key);
    if (task === undefined) return done;
    task.isAsked = false;
    const { application, entry, knocks } = task;
    const { namespace } = application;
    if (entry.state.kind === "creating" && !knocks && this.#quota.isFull(namespace)) {
      this.#explain(task, "AwaitingQuota", `namespace ${namespace} has no room by its quota`);
      this.#quota.wait(namespace, key);
      return done;
    }
    try {
      return this.#follow(key, task, await makeExecutor(this.#term.client, application, entry));
    } catch (error) {
      this.#report("failed", task, String(error));
      return againLater;
    } finally {
      task.knocks = false;
    }
  }

  #follow(key: string, task: Task, progress: Progress): ReconcileResult {
    const { application, entry } = task;
    const { namespace, pods } = application;
    this.#report(progress.kind, task, progress.kind === "done" ? "" : progress.message);
    switch (progress.kind) {
      case "done":
        this.#quota.passed(namespace);
        return this.#end(key, task);
      case "quota":
        this.#explain(task, "AwaitingQuota", progress.message);
        if (task.knocks) this.#quota.stillFull(namespace, key);
        else this.#quota.wait(namespace, key);
        return done;
      case "for-now":
        this.#explain(task, "AwaitingCluster", progress.message);
        return againLater;
      case "final":
        if (entry.state.kind === "creating") {
          entry.refuse();
          pods.revise(entry, (pod) => refusedPod(pod, progress.reason, refusal(progress.message)));
        }
        return this.#end(key, task);
    }
  }

  #end(key: string, { isAsked }: Task): ReconcileResult {
    if (!isAsked) this.#tasks.delete(key);
    return done;
  }

  #explain({ application, entry }: Task, reason: WaitReason, message: string): void {
    if (entry.state.kind === "creating") application.pods.revise(entry, (pod) => waitingFor(pod, reason, message));
  }

  #report(outcome: MakeOutcome, { application, entry }: Task, message: string): void {
    this.#options.onOutcome(outcome, application, entry, message);
  }
}

function refusal(message: string): string {
  return `the cluster does not take this executor: ${message}`;
}
