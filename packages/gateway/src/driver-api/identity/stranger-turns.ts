import type { Clock, Random } from "@kindling/outside";
import type { ReviewLimits } from "@kindling/service";

export interface StrangerTurnsOptions {
  readonly limits: ReviewLimits;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** Makes the error for a question that gets no turn. */
  readonly tooMany: (detail: string) => Error;
}

interface Waiting {
  readonly go: () => void;
  readonly refuse: (why: Error) => void;
}

/** Questions from one address, by the pod that the tokens name. */
type ByPod = Map<string, Waiting[]>;

// The highest number of waiting questions for each pod of an address.
const MOST_WAITING = 16;
const LONGEST_WAIT_MS = 10_000;
const LOOK_MS = 100;

/**
 * Turns of questions about tokens without any evidence. Addresses take turns, and within an address the pods that the tokens
 * name. So a client that forges thousands of tokens uses the turns of its own address, and hardly those of others. If too
 * many questions wait, a random one of them is refused: the last to come has the same chance as the others.
 */
export class StrangerTurns {
  readonly #options: StrangerTurnsOptions;
  readonly #addresses = new Map<string, ByPod>();
  #isScheduled = false;

  constructor(options: StrangerTurnsOptions) {
    this.#options = options;
  }

  /** @throws the error that `tooMany` makes */
  async ask<T>(address: string, pod: string, question: () => Promise<T | undefined>): Promise<T | undefined> {
    const { limits } = this.#options;
    if (this.#addresses.has(address) || !limits.hasRoomFor(address)) await this.#turn(address, pod);
    try {
      return await limits.askToken(address, false, question);
    } finally {
      this.#begin();
    }
  }

  async #turn(address: string, pod: string): Promise<void> {
    const { clock } = this.#options;
    let cancel: () => void = () => undefined;
    const turn = new Promise<void>((go, refuse) => {
      const mine = { go, refuse };
      cancel = clock.after(LONGEST_WAIT_MS, () => {
        this.#leave(address, pod, mine);
        refuse(this.#refusal());
      });
      this.#enter(address, pod, mine);
    });
    this.#schedule();
    try {
      await turn;
    } finally {
      cancel();
    }
  }

  #enter(address: string, pod: string, mine: Waiting): void {
    const pods: ByPod = this.#addresses.get(address) ?? new Map<string, Waiting[]>();
    this.#addresses.set(address, pods);
    const waiting = pods.get(pod) ?? [];
    pods.set(pod, waiting);
    waiting.push(mine);
    if (waiting.length <= MOST_WAITING) return;
    const [unlucky] = waiting.splice(Math.floor(this.#options.random.fraction() * waiting.length), 1);
    unlucky?.refuse(this.#refusal());
  }

  #leave(address: string, pod: string, mine: Waiting): void {
    const pods = this.#addresses.get(address);
    const left = pods?.get(pod)?.filter((one) => one !== mine) ?? [];
    if (left.length > 0) pods?.set(pod, left);
    else pods?.delete(pod);
    if (pods?.size === 0) this.#addresses.delete(address);
  }

  /** Starts one question of each address that may ask now. */
  #begin(): void {
    for (const [address, pods] of [...this.#addresses]) {
      if (!this.#options.limits.hasRoomFor(address)) continue;
      const next = takeNext(pods);
      // The address that had its turn moves to the end.
      this.#addresses.delete(address);
      if (pods.size > 0) this.#addresses.set(address, pods);
      next?.go();
    }
    if (this.#addresses.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.clock.after(LOOK_MS, () => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  #refusal(): Error {
    return this.#options.tooMany("too many unknown tokens wait to be checked; try again in a moment");
  }
}

function takeNext(pods: ByPod): Waiting | undefined {
  const [first] = pods;
  if (first === undefined) return undefined;
  const [pod, waiting] = first;
  const next = waiting.shift();
  pods.delete(pod);
  if (waiting.length > 0) pods.set(pod, waiting);
  return next;
}
