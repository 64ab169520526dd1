import { fork, spawn, type ChildProcess } from "node:child_process";
import type { Ran } from "./ran.ts";
import type { WorkerRequest } from "./kindling-worker.ts";

/** Longer than any command of a case takes. */
const LIMIT_MS = 20_000;

export interface Kindling {
  run(request: WorkerRequest): Promise<Ran>;
  stop(): void;
}

/** `kindling` in one process that stays. */
export class WarmKindling implements Kindling {
  readonly #worker: string;
  readonly #bundle: string;
  #process: ChildProcess | undefined;

  /**
   * @param worker the file of kindling-worker
   * @param bundle what `bin/kindling.js` runs
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

/** `kindling` as its users start it, a process for each command line. */
export class ColdKindling implements Kindling {
  readonly #program: string;

  /** @param program `bin/kindling.js` */
  constructor(program: string) {
    this.#program = program;
  }

  run({ argv, env, cwd }: WorkerRequest): Promise<Ran> {
    return runProgram(process.execPath, [this.#program, ...argv], { ...env, NODE_DISABLE_COMPILE_CACHE: "1" }, cwd);
  }

  stop(): void {}
}

/** Runs a program to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ exit: code ?? 1, out, err }));
  });
}
