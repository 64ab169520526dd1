import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const STOCK = 32;
/** More pipes are made when only this many are left. */
const FEW = 12;

/** Named pipes, made in advance in groups, so that the start of a container need not wait for them. */
export class Pipes {
  readonly #mkfifo: string;
  readonly #folder: string;
  readonly #stock: string[] = [];
  #count = 0;
  #making: Promise<void> | undefined;

  /** They are kept in a folder, which is created. */
  constructor(mkfifo: string, folder: string) {
    this.#mkfifo = mkfifo;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Puts a pipe at a path of the same file system; every user can write to it. */
  async put(path: string): Promise<void> {
    while (this.#stock.length === 0) await this.#make();
    const pipe = this.#stock.pop();
    // Not waited for: there is another pipe. If it fails, the next call that waits gets the error.
    if (this.#stock.length < FEW) this.#make().catch(() => undefined);
    if (pipe !== undefined) renameSync(pipe, path);
  }

  async #make(): Promise<void> {
    this.#making ??= this.#makeStock().finally(() => {
      this.#making = undefined;
    });
    await this.#making;
  }

  async #makeStock(): Promise<void> {
    const paths = Array.from({ length: STOCK }, (_, index) => join(this.#folder, String(this.#count + index)));
    this.#count += STOCK;
    await run(this.#mkfifo, ["-m", "666", ...paths]);
    this.#stock.push(...paths);
  }
}
