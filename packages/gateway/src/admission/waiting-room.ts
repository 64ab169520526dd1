import type { Application } from "../applications/application.ts";
import type { Entry } from "../views/entry.ts";
import { waitingFor } from "../pods/virtual-pod.ts";
import type { Admission, RequestedPod } from "./admission.ts";

/** An executor that waits, with what is needed to let it in. */
interface Waiting extends RequestedPod {
  readonly owner: Application;
  readonly entry: Entry;
}

export interface WaitingRoomOptions {
  readonly admission: Admission;
  readonly admitted: (application: string) => number;
  /** Makes an executor that has been admitted. */
  readonly make: (application: Application, entry: Entry) => void;
}

/** Where executors wait until admission lets them in. It decides once for all that came in one turn of the event loop. */
export class WaitingRoom {
  readonly #options: WaitingRoomOptions;
  readonly #waiting = new Map<string, Waiting>();
  #isDeciding = false;

  constructor(options: WaitingRoomOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size;
  }

  enter(owner: Application, entry: Entry, requested: number): void {
    if (entry.state.kind !== "waiting") return;
    const { uid, name, state } = entry;
    const { namespace, driverUid: application } = owner;
    this.#waiting.set(uid, { uid, name, namespace, application, requested, pod: state.request, owner, entry });
    this.decideSoon();
  }

  /** Called whenever something has changed that admission may have waited for. */
  decideSoon(): void {
    if (this.#isDeciding || this.#waiting.size === 0) return;
    this.#isDeciding = true;
    setImmediate(() => {
      this.#isDeciding = false;
      this.#decide();
    });
  }

  #decide(): void {
    // Who was deleted meanwhile does not wait any more.
    for (const [uid, { entry }] of this.#waiting) if (entry.state.kind !== "waiting") this.#waiting.delete(uid);
    const { admission, admitted, make } = this.#options;
    const { admit, reasons } = admission({ waiting: this.#waiting.values(), admitted });
    for (const uid of admit) {
      const waiting = this.#waiting.get(uid);
      if (waiting?.entry.state.kind !== "waiting") continue;
      this.#waiting.delete(uid);
      waiting.entry.state = { kind: "creating", request: waiting.entry.state.request };
      make(waiting.owner, waiting.entry);
    }
    for (const [uid, reason] of reasons) {
      const waiting = this.#waiting.get(uid);
      waiting?.owner.pods.revise(waiting.entry, (pod) => waitingFor(pod, "AwaitingAdmission", reason));
    }
  }
}
