import { tooManyRequests } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { RecentUse } from "./recent-use.ts";

export interface Turn {
  /** The request has been answered: so much more was used than was said at its beginning. */
  end(used: number): void;
}

interface Waiting {
  readonly go: () => void;
}

/** How many requests are worked on at once. Each has a part of a turn of the event loop, and other work waits for that. */
const SEATS = 8;
/** How many of them are for those that use much: several of their requests at once would keep all others waiting. */
const SEATS_FOR_MUCH = 1;
/** Whatever takes longer waits for somebody else, not for this process. */
const LONGEST_MS = 100;
/** How long a request waits for its turn. Spark's client gives up after ten seconds, and tries again. */
const PATIENCE_MS = 8_000;
/** Those that use much wait while the event loop has so much to do: what has to be done at once finds it free. */
const BUSY = 0.5;
const LOOK_AGAIN_MS = 20;
/** Requests of one driver that wait. Spark's asks for one thing after the other. */
const MOST_WAITING = 64;

/**
 * Who is answered next while more is asked for than can be answered at once: always the application that has used least
 * of late. Whoever asks seldom is answered at once, however much others ask for; those that ask without end share what
 * is left, of each moment a part: events for drivers, and what else nobody asks for, need some of it, too.
 */
export class RequestTurns {
  readonly #clock: Clock;
  readonly #uses: RecentUse;
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = 0;
  #takenByMuch = 0;
  #isDue = false;
  readonly #loopUse: () => number;

  /** @param loopUse which part of the last moments the event loop had something to do */
  constructor(clock: Clock, loopUse: () => number) {
    this.#clock = clock;
    this.#loopUse = loopUse;
    this.#uses = new RecentUse(clock);
  }

  /**
   * Waits for the turn of an application.
   *
   * @param use how much the request uses, as far as that is known: 1 for the least that there is
   * @param onGone calls back when nobody waits for the answer any more
   * @throws ApiError 429 if it takes too long
   */
  async take(application: string, use: number, onGone: (callback: () => void) => void): Promise<Turn> {
    const isFree = this.#taken < SEATS && this.#waiting.size === 0;
    if (isFree && !this.#hasNoSeat(application) && !this.#isToRest(application)) return this.#begin(application, use);
    if ((this.#waiting.get(application)?.length ?? 0) >= MOST_WAITING) throw tooMany();
    return await new Promise((resolve, reject) => {
      const waiting: Waiting = {
        go: () => {
          cancel();
          resolve(this.#begin(application, use));
        },
      };
      const cancel = this.#clock.after(PATIENCE_MS, () => {
        this.#leave(application, waiting);
        reject(tooMany());
      });
      onGone(() => {
        cancel();
        this.#leave(application, waiting);
      });
      this.#enter(application, waiting);
      this.#soon();
    });
  }

  #begin(application: string, use: number): Turn {
    const usesMuch = this.#uses.isMuch(application);
    this.#taken += 1;
    if (usesMuch) this.#takenByMuch += 1;
    this.#uses.add(application, use);
    let isOver = false;
    const free = (): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      this.#taken -= 1;
      if (usesMuch) this.#takenByMuch -= 1;
      this.#soon();
    };
    const cancel = this.#clock.after(LONGEST_MS, free);
    return {
      end: (used) => {
        this.#uses.add(application, used);
        free();
      },
    };
  }

  /** Other work gets its turn first: what has come meanwhile may be of somebody who has used less. */
  #soon(): void {
    if (this.#isDue || this.#waiting.size === 0 || this.#taken >= SEATS) return;
    this.#isDue = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isDue = false;
    while (this.#taken < SEATS && this.#waiting.size > 0) {
      const next = this.#leastUsed();
      // Whoever gives its seat back looks again.
      if (this.#hasNoSeat(next)) return;
      if (this.#isToRest(next)) {
        this.#isDue = true;
        this.#clock.after(LOOK_AGAIN_MS, () => this.#look());
        return;
      }
      const [first] = this.#waiting.get(next) ?? [];
      if (first === undefined) return;
      this.#leave(next, first);
      first.go();
    }
  }

  #hasNoSeat(application: string): boolean {
    return this.#takenByMuch >= SEATS_FOR_MUCH && this.#uses.isMuch(application);
  }

  #isToRest(application: string): boolean {
    return this.#uses.isMuch(application) && this.#loopUse() > BUSY;
  }

  #leastUsed(): string {
    let least = Number.POSITIVE_INFINITY;
    let next = "";
    for (const application of this.#waiting.keys()) {
      const used = this.#uses.of(application);
      if (used >= least) continue;
      least = used;
      next = application;
    }
    return next;
  }

  #enter(application: string, waiting: Waiting): void {
    const line = this.#waiting.get(application);
    if (line === undefined) this.#waiting.set(application, [waiting]);
    else line.push(waiting);
  }

  #leave(application: string, waiting: Waiting): void {
    const line = this.#waiting.get(application) ?? [];
    const place = line.indexOf(waiting);
    if (place >= 0) line.splice(place, 1);
    if (line.length === 0) this.#waiting.delete(application);
  }
}

function tooMany(): Error {
  return tooManyRequests("the gateway answers as much as it can; try again in a moment", 1);
}
