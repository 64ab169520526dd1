import { tooManyRequests } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { RecentUse } from "./recent-use.ts";

export interface Turn {
  /** The request has been answered; `used` is added to the use that was given at its beginning. */
  end(used: number): void;
}

interface Waiting {
  readonly go: () => void;
}

/** How many requests are handled at once. Each takes a part of a turn of the event loop, and other work waits meanwhile. */
const SEATS = 8;
/** How many of these are for clients that use much: several of their requests at once would make all others wait. */
const SEATS_FOR_MUCH = 1;
/** A request that takes longer waits for something outside this process. */
const LONGEST_MS = 100;
/** How long a request waits for its turn. Spark's client gives up after ten seconds, and tries again. */
const PATIENCE_MS = 8_000;
/** While the event loop is this busy, clients that use much wait, so that urgent work finds it free. */
const BUSY = 0.5;
const LOOK_AGAIN_MS = 20;
/** The highest number of waiting requests of one driver. Spark's driver sends one request after the other. */
const MOST_WAITING = 64;

/**
 * Decides which request is handled next when there are more requests than can be handled at once: always one of the
 * application that has used least recently. An application with few requests is answered at once, however many the others
 * send. Applications that send requests all the time share the rest. They get only a part of the time, because watch events
 * and other work in the background need some, too.
 */
export class RequestTurns {
  readonly #clock: Clock;
  readonly #uses: RecentUse;
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = 0;
  #takenByMuch = 0;
  #isDue = false;
  readonly #loopUse: () => number;

  /** @param loopUse how busy the event loop was in the last moments, between 0 and 1 */
  constructor(clock: Clock, loopUse: () => number) {
    this.#clock = clock;
    this.#loopUse = loopUse;
    this.#uses = new RecentUse(clock);
  }

  /**
   * Waits for the turn of an application.
   *
   * @param use how much the request uses, as far as that is known: 1 for the smallest request
   * @param onGone registers a callback for when the client is gone
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

  /** Other work gets its turn first. Meanwhile a request may come from a client that has used less. */
  #soon(): void {
    if (this.#isDue || this.#waiting.size === 0 || this.#taken >= SEATS) return;
    this.#isDue = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isDue = false;
    while (this.#taken < SEATS && this.#waiting.size > 0) {
      const next = this.#leastUsed();
      // When a seat becomes free, this is tried again.
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
