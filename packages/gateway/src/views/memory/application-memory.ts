import type { KeptMemory } from "./kept-memory.ts";

/** The size of an object as JSON. */
export interface ObjectSize {
  readonly bytes: number;
  /** Objects, lists, texts and numbers in it. */
  readonly values: number;
}

/** Whether an object may be kept. */
export type Admission =
  | "fits"
  /** The application uses too much memory, or would with this object. */
  | "too-much"
  /** Others use so much memory that there is no room at present. */
  | "no-room";

/**
 * The memory that an object takes: its bytes, to be sent; its values, each of which takes some bytes more (measured with V8:
 * Spark's pods take 1.6 times their bytes, lists of empty objects 20 times); and what else is known about it.
 */
const PER_OBJECT = 1024;
const PER_BYTE = 2;
const PER_VALUE = 32;
/** Spark's pods have one value per 20 bytes. */
const BYTES_PER_VALUE = 20;

/**
 * How much memory the objects of one application take, by their names. Objects from the cluster are always counted; objects
 * from a driver must be admitted first.
 */
export class ApplicationMemory {
  readonly #memory: KeptMemory;
  readonly #isThere: (key: string) => boolean;
  readonly #weights = new Map<string, number>();
  /** The number of values of objects that a driver has sent; in the cluster they have about as many. */
  readonly #values = new Map<string, number>();
  #held = 0;
  #isClosed = false;

  /**
   * @param isThere whether an object is in the view: when memory is short, objects that were refused after they were counted
   * are removed from the count
   */
  constructor(memory: KeptMemory, isThere: (key: string) => boolean) {
    this.#memory = memory;
    this.#isThere = isThere;
  }

  /** Bytes of memory. */
  get held(): number {
    return this.#held;
  }

  /** How many bytes more the application may take. */
  get room(): number {
    return this.#isClosed ? 0 : this.#memory.roomBeside(this.#held);
  }

  /** Counts an object that a driver has sent, if there is room. If it was counted before, the new size replaces the old one. */
  admit(key: string, size: ObjectSize): Admission {
    const weight = weigh(size);
    const growth = (): number => weight - (this.#weights.get(key) ?? 0);
    if (growth() > this.room) this.#forget(key);
    if (growth() > this.room) return this.#held + growth() > this.#memory.most ? "too-much" : "no-room";
    this.#values.set(key, size.values);
    this.#count(key, weight);
    return "fits";
  }

  /** Whether there is room for so many bytes of JSON more. */
  hasRoomFor(bytes: number): boolean {
    return bytes * PER_BYTE <= this.room;
  }

  /** Takes so many bytes of memory for a while, if there is room. Returns a function that gives them back. */
  borrow(bytes: number): (() => void) | undefined {
    if (bytes > this.room) return undefined;
    this.#change(bytes);
    let isGiven = false;
    return () => {
      if (!isGiven && !this.#isClosed) this.#change(-bytes);
      isGiven = true;
    };
  }

  /** An object is in the view with this many bytes of JSON, or (undefined) it is no longer there. */
  seen(key: string, bytes: number | undefined): void {
    if (this.#isClosed) return;
    if (bytes === undefined) return this.#drop(key);
    this.#count(key, weigh({ bytes, values: this.#values.get(key) ?? bytes / BYTES_PER_VALUE }));
  }

  /** The application is over. */
  close(): void {
    this.#memory.change(this.#held, 0);
    this.#isClosed = true;
    this.#held = 0;
    this.#weights.clear();
    this.#values.clear();
  }

  #count(key: string, weight: number): void {
    this.#change((this.#weights.get(key) ?? 0) * -1 + weight);
    this.#weights.set(key, weight);
  }

  #drop(key: string): void {
    this.#change(-(this.#weights.get(key) ?? 0));
    this.#weights.delete(key);
    this.#values.delete(key);
  }

  #change(difference: number): void {
    this.#memory.change(this.#held, this.#held + difference);
    this.#held += difference;
  }

  #forget(but: string): void {
    for (const key of this.#weights.keys()) if (key !== but && !this.#isThere(key)) this.#drop(key);
  }
}

function weigh({ bytes, values }: ObjectSize): number {
  return PER_OBJECT + PER_BYTE * bytes + PER_VALUE * values;
}
