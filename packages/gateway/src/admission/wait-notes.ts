import type { KubeObject } from "@kindling/kube-objects";
import type { EventRecorder } from "@kindling/controller";
import type { Clock } from "@kindling/outside";
import type { Application } from "../views/applications/application.ts";
import type { Applications } from "../views/applications/applications.ts";
import { waitingFor } from "../views/virtual-pod.ts";
import { podSubject } from "../spark/spark-pod.ts";
import type { Entry } from "../views/entry.ts";
import type { PendingPods } from "../views/sets/pending-pods.ts";

export interface WaitNotesOptions {
  readonly clock: Clock;
  readonly applications: Applications;
  readonly events: EventRecorder;
  readonly pendingPods: PendingPods;
  /** The gated driver of an application; undefined if it is not gated. */
  readonly gatedDriver: (uid: string) => KubeObject | undefined;
}

/** The event of a driver that waits. */
const WAITS = { type: "Normal", reason: "AwaitingAdmission", name: "waits" } as const;

interface Told {
  readonly words: string;
  /** By the monotonic clock, in milliseconds. */
  readonly at: number;
}

/** The shortest time between two updates of the words in an application's pods: each update is a watch event for its driver. */
const REWRITE_MS = 10_000;

/** Tells people why something waits: in the status of executors that only their driver sees, and in events of gated drivers. */
export class WaitNotes {
  readonly #options: WaitNotesOptions;
  readonly #told = new Map<string, Told>();
  /** The words written into each executor that waits. */
  readonly #noted = new WeakMap<Entry, string>();

  constructor(options: WaitNotesOptions) {
    this.#options = options;
  }

  /** Takes the reasons why applications wait now, by the uid of the driver. An application without a reason does not wait. */
  tell(words: ReadonlyMap<string, string>): void {
    const { applications, events, gatedDriver } = this.#options;
    for (const uid of this.#told.keys()) if (!words.has(uid)) this.#told.delete(uid);
    for (const [uid, text] of words) {
      const application = applications.get(uid);
      if (application !== undefined && application.waitingExecutors > 0) this.#note(application, uid, text);
      const driver = gatedDriver(uid);
      if (driver !== undefined) events.tell(podSubject(driver), { ...WAITS, message: text });
    }
    events.keep(WAITS.name, new Set(words.keys()));
  }

  #note(application: Application, uid: string, text: string): void {
    const now = this.#options.clock.monotonic();
    const told = this.#told.get(uid);
    const isNew = told === undefined || (told.words !== text && now - told.at >= REWRITE_MS);
    const { words } = isNew ? { words: text } : told;
    if (isNew) this.#told.set(uid, { words, at: now });
    this.#options.pendingPods.tell(application, words);
    for (const entry of application.virtualExecutors()) {
      if (entry.state.kind !== "waiting" || this.#noted.get(entry) === words) continue;
      this.#noted.set(entry, words);
      application.pods.revise(entry, (pod) => waitingFor(pod, "AwaitingAdmission", words));
    }
  }
}
