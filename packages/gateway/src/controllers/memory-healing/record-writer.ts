import { againLater, done, type ReconcileResult, type RunningController, type Term } from "@kindling/controller";
import { MEMORY_RECORD_ANNOTATION } from "@kindling/core-spec";
import { isNotFound } from "@kindling/kube";
import type { Log } from "@kindling/service";
import type { Application } from "../../views/applications/application.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { type MemoryRecord, memoryRecordText } from "../../healing/memory-record.ts";

interface Task {
  readonly application: Application;
  readonly text: string;
}

/** Records on drivers' pods what was done about the memory of their executors, until it is written. */
export class RecordWriter {
  readonly #term: Term;
  readonly #log: Log;
  /** By the uid of the driver. */
  readonly #tasks = new Map<string, Task>();
  readonly #running: RunningController;

  constructor(term: Term, { log }: { readonly log: Log }) {
    this.#term = term;
    this.#log = log;
    this.#running = term.run({ name: "memory-record", watches: [], workers: 4, reconcile: (uid) => this.#write(uid) });
  }

  write(application: Application, record: MemoryRecord): void {
    this.#tasks.set(application.driverUid, { application, text: memoryRecordText(record) });
    this.#running.add(application.driverUid);
  }

  async #write(uid: string): Promise<ReconcileResult> {
    const task = this.#tasks.get(uid);
    if (task === undefined) return done;
    const { driverName, namespace } = task.application;
    const body = { metadata: { uid, annotations: { [MEMORY_RECORD_ANNOTATION]: task.text } } };
    try {
      await this.#term.client.patch(UPSTREAM.pods, driverName, "merge", body, { namespace });
    } catch (error) {
      if (!isNotFound(error)) {
        this.#log.warn("what was done about memory cannot be recorded yet", { namespace, driver: driverName });
        return againLater;
      }
    }
    if (this.#tasks.get(uid) === task) this.#tasks.delete(uid);
    return done;
  }
}
