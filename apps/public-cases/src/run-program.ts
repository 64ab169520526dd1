import { spawn } from "node:child_process";

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** After so long it is ended. Default: 180 s. */
  readonly milliseconds?: number;
}

/** Runs a program to its end; one that does not end in time has exit code 124, as timeout(1) has it. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { env, cwd, milliseconds = 180_000 } = options;
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it has started ends with it.
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let [out, err, late] = ["", "", false];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, milliseconds);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ exit: late ? 124 : (code ?? 1), out, err });
    });
  });
}
