import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { type ApplicationDemand, waitingCount } from "@kindling/admission";
import { gaveWayWords, type Beneficiary, type Loss, type Standing } from "./gave-way-words.ts";

export interface GaveWayOptions {
  readonly clock: Clock;
  /** Publishes the words as an event of the driver. */
  readonly tell: (driver: KubeObject, words: string) => void;
  /** The driver of an application; undefined if it is gone. */
  readonly driver: (uid: string) => KubeObject | undefined;
  /** Called when it is time to look again. */
  readonly onLater: () => void;
}

interface Memory {
  readonly losses: Loss[];
  /** Since when it has lacked nothing, by the monotonic clock; undefined while it lacks something. */
  wholeSince: number | undefined;
}

/** A driver notices within seconds that executors are gone, and asks for others. Until then it seems to lack nothing. */
const WHOLE_AFTER_MS = 60_000;

/**
 * Which applications gave way, to which others, and whether they lack executors because of it. This is remembered until an
 * application has all executors again that it wants. A new gateway begins with nothing; the events of the drivers stay.
 */
export class GaveWay {
  readonly #options: GaveWayOptions;
  readonly #memories = new Map<string, Memory>();

  constructor(options: GaveWayOptions) {
    this.#options = options;
  }

  /** An executor of an application was taken away. The application is named by the uid of its driver. */
  note(application: string, to: Beneficiary): void {
    const memory = this.#memories.get(application) ?? { losses: [], wholeSince: undefined };
    this.#memories.set(application, memory);
    memory.wholeSince = undefined;
    const index = memory.losses.findIndex(({ to: one }) => one.name === to.name && one.queue === to.queue);
    const count = (memory.losses[index]?.count ?? 0) + 1;
    if (index >= 0) memory.losses.splice(index, 1);
    memory.losses.unshift({ to, count });
  }

  /**
   * The words about each application that lacks executors since it gave way, by the uid of its driver.
   *
   * @param taken how many executors of an application were just taken away, and are not yet marked as leaving in the demands
   */
  words(demands: readonly ApplicationDemand[], taken: (application: string) => number): ReadonlyMap<string, string> {
    const words = new Map<string, string>();
    if (this.#memories.size === 0) return words;
    const known = new Map(demands.map((demand) => [demand.id, demand]));
    for (const [application, memory] of this.#memories) {
      const demand = known.get(application);
      const driver = this.#options.driver(application);
      if (demand === undefined || driver === undefined) {
        this.#memories.delete(application);
        continue;
      }
      const standing = standingOf(demand, taken(application));
      const text = gaveWayWords(memory.losses, standing);
      if (standing.wants > standing.has) {
        memory.wholeSince = undefined;
        words.set(application, text);
        this.#options.tell(driver, text);
      } else if (this.#isWholeAgain(memory)) {
        this.#memories.delete(application);
        this.#options.tell(driver, text);
      }
    }
    return words;
  }

  /** Whether no application that gave way is remembered. */
  get isEmpty(): boolean {
    return this.#memories.size === 0;
  }

  #isWholeAgain(memory: Memory): boolean {
    const { clock, onLater } = this.#options;
    const now = clock.monotonic();
    if (memory.wholeSince === undefined) {
      memory.wholeSince = now;
      clock.after(WHOLE_AFTER_MS, onLater);
    }
    return now - memory.wholeSince >= WHOLE_AFTER_MS;
  }
}

/** Leaving executors count as wanted as long as they are there: their driver does not know yet that it will want others. */
function standingOf(demand: ApplicationDemand, taken: number): Standing {
  const { present } = demand;
  const leaving = present.filter(({ state }) => state === "leaving").length;
  return { wants: waitingCount(demand) + present.length, has: present.length - leaving - taken };
}
