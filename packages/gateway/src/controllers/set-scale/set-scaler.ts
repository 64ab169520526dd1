import { againLater, done, type ReconcileResult, type RunningController, type Term } from "@kindling/controller";
import { isNotFound } from "@kindling/kube";
import type { Log } from "@kindling/service";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import type { ExecutorSet } from "../../views/applications/executor-set.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";

export interface SetScalerOptions {
  readonly applications: Pick<Applications, "setSeen" | "subscribe">;
  readonly log: Log;
  /** How many sets are scaled at once. */
  readonly concurrency: number;
}

interface Task {
  readonly application: Application;
  readonly set: ExecutorSet;
}

/**
 * Tells the cluster how many executors of each set are admitted: with one write for all that came together, repeated until it
 * succeeds. A set never has more replicas than were admitted, whatever fails in between.
 */
export class SetScaler {
  readonly #term: Term;
  readonly #options: SetScalerOptions;
  /** By the namespace and the uid of the set. */
  readonly #tasks = new Map<string, Task>();
  readonly #running: RunningController;

  constructor(term: Term, options: SetScalerOptions) {
    this.#term = term;
    this.#options = options;
    options.applications.subscribe({ setsChanged: (application) => this.look(application) });
    this.#running = term.run({
      name: "set-scale",
      watches: [],
      workers: options.concurrency,
      reconcile: (key) => this.#reconcile(key),
    });
  }

  /** Scales the sets of an application for which the cluster does not yet know how many executors are admitted. */
  look(application: Application): void {
    for (const set of application.sets.all()) {
      const key = `${set.namespace}/${set.uid}`;
      if (set.isTold || this.#tasks.get(key)?.set === set) continue;
      this.#tasks.set(key, { application, set });
      this.#running.add(key);
    }
  }

  async #reconcile(key: string): Promise<ReconcileResult> {
    const task = this.#tasks.get(key);
    if (task === undefined) return done;
    const { application, set } = task;
    const isThere = !application.isOver && application.sets.get(set.mark) === set;
    if (!isThere || set.isTold) return this.#end(key, task);
    const { applications, log } = this.#options;
    const { kind, name, namespace, uid, admitted } = set;
    try {
      // With the uid the API server refuses to touch another set of the name.
      const patch = { metadata: { uid }, spec: { replicas: admitted } };
      const scaled = await this.#term.client.patch(UPSTREAM[kind], name, "merge", patch, { namespace });
      this.#end(key, task);
      applications.setSeen(application, kind, withoutManagedFields(scaled));
      // More may have been admitted in the meantime.
      this.look(application);
      return done;
    } catch (error) {
      if (isNotFound(error)) {
        application.sets.gone(set.mark, uid);
        return this.#end(key, task);
      }
      const fault = { kind, namespace, name, error: String(error) };
      log.info("a set of executors cannot be scaled; it is tried again", fault);
      return againLater;
    }
  }

  #end(key: string, task: Task): ReconcileResult {
    if (this.#tasks.get(key) === task) this.#tasks.delete(key);
    return done;
  }
}
