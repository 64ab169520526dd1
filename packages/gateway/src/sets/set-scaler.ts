import { createWorkQueue, isNotFound, type KubeClient, perKeyBackoff, type WorkQueue } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Application } from "../applications/application.ts";
import type { Applications } from "../applications/applications.ts";
import type { ExecutorSet } from "../applications/executor-set.ts";
import { UPSTREAM, withoutManagedFields } from "../upstream/upstream-types.ts";

export interface SetScalerOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly applications: Pick<Applications, "setSeen">;
  readonly log: Log;
  /** How many sets are scaled at once. */
  readonly concurrency: number;
}

interface Task {
  readonly application: Application;
  readonly set: ExecutorSet;
}

/**
 * Tells the cluster how many executors of each set are admitted: one write for all that came together, and as often as it
 * takes. A set never has more replicas than were admitted, whatever fails in between.
 */
export class SetScaler {
  readonly #options: SetScalerOptions;
  readonly #queue: WorkQueue<ExecutorSet>;
  readonly #tasks = new Map<ExecutorSet, Task>();
  readonly #workers: Promise<void>[];
  #isStopped = false;

  constructor(options: SetScalerOptions) {
    this.#options = options;
    const { clock, random, concurrency } = options;
    const backoff = perKeyBackoff<ExecutorSet>(200, 30_000);
    this.#queue = createWorkQueue<ExecutorSet>({
      clock,
      // Those that failed together shall not all come back together.
      rateLimiter: { ...backoff, delayMs: (set) => backoff.delayMs(set) * (0.5 + random.fraction() / 2) },
    });
    this.#workers = Array.from({ length: concurrency }, () => this.#work());
  }

  /** Sees to the sets of an application of which the cluster does not know yet what is admitted. */
  look(application: Application): void {
    for (const set of application.sets.all()) {
      if (set.isTold || this.#tasks.has(set)) continue;
      this.#tasks.set(set, { application, set });
      this.#queue.add(set);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue.shutDown();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let set = await this.#queue.get(); set !== undefined; set = await this.#queue.get()) {
      const task = this.#tasks.get(set);
      if (task !== undefined && !this.#isStopped) await this.#attempt(task);
      this.#queue.done(set);
    }
  }

  async #attempt(task: Task): Promise<void> {
    const { application, set } = task;
    const isThere = !application.isOver && application.sets.get(set.mark) === set;
    if (!isThere || set.isTold) return this.#end(task);
    const { client, applications, log } = this.#options;
    const { kind, name, namespace, uid, admitted } = set;
    try {
      // With the uid the API server refuses to touch another set of the name.
      const patch = { metadata: { uid }, spec: { replicas: admitted } };
      const scaled = await client.patch(UPSTREAM[kind], name, "merge", patch, { namespace });
      this.#end(task);
      applications.setSeen(application, kind, withoutManagedFields(scaled));
      // More may have been admitted meanwhile.
      this.look(application);
    } catch (error) {
      if (isNotFound(error)) {
        application.sets.gone(set.mark, uid);
        return this.#end(task);
      }
      log.info("a set of executors cannot be scaled; it is tried again", {
        kind,
        namespace,
        name,
        error: String(error),
      });
      this.#queue.addRateLimited(set);
    }
  }

  #end({ set }: Task): void {
    this.#queue.forget(set);
    this.#tasks.delete(set);
  }
}
