import type { Piece } from "./read-buffers.ts";

/** Pieces that were taken leave the list in groups, because each removal moves all others. */
const DROPPED_AT_ONCE = 64;

/** The data of a call that waits to be sent. */
export class Outgoing {
  readonly #pieces: Piece[] = [];
  /** The first piece that has not been taken; those before it are dropped now and then. */
  #first = 0;
  #length = 0;

  /** Bytes that wait. */
  get length(): number {
    return this.#length;
  }

  push(piece: Piece): void {
    if (piece.bytes.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.bytes.length;
  }

  /** Takes so many bytes from the front, or all if there are fewer. Nothing is copied. */
  take(most: number): readonly Piece[] {
    const taken: Piece[] = [];
    let left = Math.min(most, this.#length);
    this.#length -= left;
    while (left > 0) {
      const piece = this.#pieces[this.#first];
      if (piece === undefined) break;
      if (piece.bytes.length > left) {
        // The rest leaves later, and gives the memory back for both.
        this.#pieces[this.#first] = { bytes: piece.bytes.subarray(left), release: piece.release };
        taken.push({ bytes: piece.bytes.subarray(0, left) });
        break;
      }
      taken.push(piece);
      left -= piece.bytes.length;
      this.#first += 1;
    }
    if (this.#length === 0) this.clear();
    else if (this.#first >= DROPPED_AT_ONCE) {
      this.#pieces.splice(0, this.#first);
      this.#first = 0;
    }
    return taken;
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#first = 0;
    this.#length = 0;
  }
}
