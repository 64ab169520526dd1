import { spawn } from "node:child_process";

/** How a program ended, and its output. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The compared runs take seconds; none of them takes this long. */
const LIMIT_MS = 180_000;

/**
 * Runs a program to its end. A program that does not end within three minutes is ended, and has exit code 124, as in
 * timeout(1).
 */
export function runProgram(program: string, args: readonly string[], { env, cwd }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that everything that it started ends with it.
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
