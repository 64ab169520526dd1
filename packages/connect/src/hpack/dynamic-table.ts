import type { Field } from "./static-table.ts";

/** What an entry costs beside its text (RFC 7541, 4.1). */
const ENTRY_OVERHEAD = 32;

/** The headers that were said on a connection before, the newest first (RFC 7541, 2.3.2). */
export class DynamicTable {
  /** The oldest first, so that adding is cheap. */
  readonly #fields: Field[] = [];
  #size = 0;
  #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param index 0 for the newest */
  at(index: number): Field | undefined {
    return this.#fields[this.#fields.length - 1 - index];
  }

  add(field: Field): void {
    const size = sizeOf(field);
    this.#evict(this.#most - size);
    // A header that is larger than the table empties it, and is not kept.
    if (size > this.#most) return;
    this.#fields.push(field);
    this.#size += size;
  }

  resize(most: number): void {
    this.#most = most;
    this.#evict(most);
  }

  #evict(most: number): void {
    while (this.#size > most) {
      const oldest = this.#fields.shift();
      if (oldest === undefined) return;
      this.#size -= sizeOf(oldest);
    }
  }
}

/** The size of a header as tables and limits count it, bytes. */
export function sizeOf([name, value]: Field): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}
