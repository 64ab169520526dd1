import { spawn } from "node:child_process";

/** How a program ended, and what it said. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What is compared takes seconds; nothing of it takes so long. */
const LIMIT_MS = 180_000;

/** Runs a program to its end; one that does not end within three minutes is ended, and has exit code 124, as timeout(1) has it. */
export function runProgram(program: string, args: readonly string[], { env, cwd }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it has started ends with it.
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let [out, err, late] = ["", "", false];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, LIMIT_MS);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ exit: late ? 124 : (code ?? 1), out, err });
    });
  });
}
