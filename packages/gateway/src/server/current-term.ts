import type { Assembled } from "./assemble.ts";

/** The parts that serve drivers while this replica leads. */
export class CurrentTerm {
  #parts: Assembled | undefined;

  /** Undefined while another replica leads. */
  get parts(): Assembled | undefined {
    return this.#parts;
  }

  begin(parts: Assembled): void {
    this.#parts = parts;
  }

  /** Does nothing if another term has begun in the meantime. */
  end(parts: Assembled): void {
    if (this.#parts === parts) this.#parts = undefined;
  }
}
