import { fork, type ChildProcess } from "node:child_process";
import { runProgram, type Ran } from "@kindling/recordings";
import type { WorkerRequest } from "./kindling-worker.ts";

/** Longer than any command of a case takes. */
const LIMIT_MS = 20_000;

export interface Kindling {
  run(request: WorkerRequest): Promise<Ran>;
  stop(): void;
}

/** `kindling` in one permanent process. */
export class WarmKindling implements Kindling {
  readonly #worker: string;
  readonly #bundle: string;
  #process: ChildProcess | undefined;

  /**
   * @param worker the file of kindling-worker
   * @param bundle the file that `bin/kindling.js` runs
   */
  constructor(worker: string, bundle: string) {
    this.#worker = worker;
    this.#bundle = bundle;
  }

  run(request: WorkerRequest): Promise<Ran> {
    const child = (this.#process ??= this.#start());
    return new Promise((resolve) => {
      const finish = (ran: Ran): void => {
        clearTimeout(timer);
        child.removeAllListeners("message").removeAllListeners("exit");
        resolve(ran);
      };
      const fail = (err: string): void => {
        this.stop();
        finish({ exit: 124, out: "", err });
      };
      const timer = setTimeout(() => fail("kindling did not end"), LIMIT_MS);
      child.once("message", (ran) => finish(ran as Ran));
      child.once("exit", () => fail("kindling's process ended"));
      child.send(request);
    });
  }

  stop(): void {
    this.#process?.removeAllListeners("exit").kill("SIGKILL");
    this.#process = undefined;
  }

  #start(): ChildProcess {
    return fork(this.#worker, [this.#bundle], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { PATH: process.env["PATH"] },
    });
  }
}

/** `kindling` as its users start it, with a process for each command line. */
export class ColdKindling implements Kindling {
  readonly #program: string;

  /** @param program `bin/kindling.js` */
  constructor(program: string) {
    this.#program = program;
  }

  run({ argv, env, cwd }: WorkerRequest): Promise<Ran> {
    return runProgram(process.execPath, [this.#program, ...argv], {
      env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" },
      cwd,
    });
  }

  stop(): void {}
}
