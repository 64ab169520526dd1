/** Texts that occur often, each with a number. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** The number of a text, which gets one if it has none. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** `undefined` for a text that has no number. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  textOf(number: number): string {
    return this.#texts[number] ?? "";
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The numbers of the texts that fulfil a condition. */
  matching(condition: (text: string) => boolean): ReadonlySet<number> {
    return new Set(this.#texts.flatMap((text, number) => (condition(text) ? [number] : [])));
  }
}

/** A number of a text, by which most other texts are excluded (FNV-1a of its UTF-16 units, 32 bits). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

type NumberArray = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Numbers in a row, eight or four bytes each. */
export class Column<A extends NumberArray> {
  #values: A;
  readonly #make: (length: number) => A;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#values = make(1024);
  }

  at(row: number): number {
    return this.#values[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (row >= this.#values.length) {
      const larger = this.#make(Math.max(row + 1, Math.ceil(this.#values.length * 1.5)));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[row] = value;
  }
}

export const times = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
export const numbers = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
