/** A pause of a process, which the process itself does not notice. */
export class Pause {
  /** Resolves when it has begun. */
  readonly begun: Promise<void>;
  readonly #over: Promise<void>;
  #isOn = false;
  #tellBegun: () => void = () => undefined;
  #tellOver: () => void = () => undefined;

  constructor() {
    this.begun = new Promise((resolve) => (this.#tellBegun = resolve));
    this.#over = new Promise((resolve) => (this.#tellOver = resolve));
  }

  begin(): void {
    this.#isOn = true;
    this.#tellBegun();
  }

  end(): void {
    this.#isOn = false;
    this.#tellOver();
  }

  /** Resolves when there is no pause. */
  async isOver(): Promise<void> {
    if (this.#isOn) await this.#over;
  }
}
