import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Ran {
  readonly exit: number;
  /** The output on standard output and standard error. */
  readonly printed: string;
}

/** A shell in which commands run one after the other, as a reader types them: exported variables stay for the next command. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #exits: AsyncIterator<string>;
  readonly #folder: string;
  #count = 0;

  /** @param scratch a folder for the shell's own files */
  constructor(options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly scratch: string }) {
    this.#folder = options.scratch;
    // A separate process group: what a command left running ends with it.
    this.#child = spawn("bash", ["--noprofile", "--norc"], {
      ...{ env: options.env, cwd: options.cwd, detached: true },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("bash has no output");
    this.#exits = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Runs a command to its end; after this many milliseconds it fails with the output so far. */
  async run(command: string, timeoutMs: number): Promise<Ran> {
    const file = join(this.#folder, `${(this.#count += 1)}.sh`);
    const output = `${file}.out`;
    writeFileSync(file, `${command}\n`);
    this.#child.stdin?.write(`source ${file} </dev/null >${output} 2>&1; echo $?\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void =>
        reject(new Error(`not ended after ${timeoutMs / 1000} s:\n${readFileSync(output, "utf8")}`));
      timer = setTimeout(fail, timeoutMs);
    });
    try {
      const { value } = await Promise.race([this.#exits.next(), late]);
      return { exit: Number(value), printed: readFileSync(output, "utf8") };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the shell, and everything that was started in it. */
  close(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}
