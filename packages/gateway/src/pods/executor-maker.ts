import { createWorkQueue, type KubeClient, perKeyBackoff, type WorkQueue } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Application } from "../applications/application.ts";
import type { Entry } from "../views/entry.ts";
import type { Progress } from "../upstream/progress.ts";
import { makeExecutor } from "./make-executor.ts";
import { QuotaWaits } from "./quota-waits.ts";
import { refusedPod, type WaitReason, waitingFor } from "./virtual-pod.ts";

/** How an attempt to make an executor ended, for those who count. */
export type MakeOutcome = Progress["kind"] | "failed";

export interface ExecutorMakerOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** How many executors are made at once. */
  readonly concurrency: number;
  readonly onOutcome: (outcome: MakeOutcome, application: Application, entry: Entry, message: string) => void;
}

/** An executor that is to be made. */
interface Task {
  readonly application: Application;
  readonly entry: Entry;
  /** Tries although the namespace is known to be full. */
  knocks: boolean;
}

/**
 * Makes admitted executors in the cluster, some at once, until each is there, is refused for good or was deleted. What
 * keeps one of them waiting stands in the pod that its driver sees.
 */
export class ExecutorMaker {
  readonly #options: ExecutorMakerOptions;
  readonly #queue: WorkQueue<Task>;
  readonly #tasks = new Map<Entry, Task>();
  readonly #quota: QuotaWaits<Task>;
  readonly #workers: Promise<void>[];
  #isStopped = false;

  constructor(options: ExecutorMakerOptions) {
    this.#options = options;
    const { clock, random, concurrency } = options;
    const backoff = perKeyBackoff<Task>(200, 30_000);
    this.#queue = createWorkQueue<Task>({
      clock,
      // Those that failed together shall not all come back together.
      rateLimiter: { ...backoff, delayMs: (task) => backoff.delayMs(task) * (0.5 + random.fraction() / 2) },
    });
    this.#quota = new QuotaWaits(
      clock,
      () => random.fraction(),
      (task) => {
        task.knocks = true;
        this.#queue.add(task);
      },
    );
    this.#workers = Array.from({ length: concurrency }, () => this.#work());
  }

  /** How many executors are on their way. */
  get size(): number {
    return this.#tasks.size;
  }

  get waitingForQuota(): number {
    return this.#quota.size;
  }

  /** Makes an executor, or what has been added to one since. */
  make(application: Application, entry: Entry): void {
    const task = this.#tasks.get(entry) ?? { application, entry, knocks: false };
    this.#tasks.set(entry, task);
    this.#queue.add(task);
  }

  roomMade(namespace: string): void {
    this.#quota.roomMade(namespace);
  }

  /** Ends what is under way; what waits is left to whoever comes next. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#quota.stop();
    this.#queue.shutDown();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let task = await this.#queue.get(); task !== undefined; task = await this.#queue.get()) {
      if (!this.#isStopped) await this.#attempt(task);
      this.#queue.done(task);
    }
  }

  async #attempt(task: Task): Promise<void> {
    const { application, entry, knocks } = task;
    const { namespace } = application;
    if (entry.state.kind === "creating" && !knocks && this.#quota.isFull(namespace)) {
      this.#explain(task, "AwaitingQuota", `namespace ${namespace} has no room by its quota`);
      this.#quota.wait(namespace, task);
      return;
    }
    try {
      this.#follow(task, await makeExecutor(this.#options.client, application, entry));
    } catch (error) {
      this.#report("failed", task, String(error));
      this.#queue.addRateLimited(task);
    }
    task.knocks = false;
  }

  #follow(task: Task, progress: Progress): void {
    const { application, entry } = task;
    const { namespace, pods } = application;
    this.#report(progress.kind, task, progress.kind === "done" ? "" : progress.message);
    switch (progress.kind) {
      case "done":
        this.#quota.passed(namespace);
        this.#end(task);
        break;
      case "quota":
        this.#explain(task, "AwaitingQuota", progress.message);
        if (task.knocks) this.#quota.stillFull(namespace, task);
        else this.#quota.wait(namespace, task);
        break;
      case "for-now":
        this.#explain(task, "AwaitingCluster", progress.message);
        this.#queue.addRateLimited(task);
        break;
      case "final":
        if (entry.state.kind === "creating") {
          entry.state = { kind: "refused" };
          pods.revise(entry, (pod) => refusedPod(pod, progress.reason, refusal(progress.message)));
        }
        this.#end(task);
    }
  }

  #explain({ application, entry }: Task, reason: WaitReason, message: string): void {
    if (entry.state.kind === "creating") application.pods.revise(entry, (pod) => waitingFor(pod, reason, message));
  }

  #report(outcome: MakeOutcome, { application, entry }: Task, message: string): void {
    this.#options.onOutcome(outcome, application, entry, message);
  }

  #end(task: Task): void {
    this.#queue.forget(task);
    this.#tasks.delete(task.entry);
  }
}

function refusal(message: string): string {
  return `the cluster does not take this executor: ${message}`;
}
