import { execFile } from "node:child_process";

const TIMEOUT_MS = 30_000;

/** The output of a program, both streams together. @throws if it does not exist, fails or takes too long. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

/** Runs programs that only report something about themselves, in an environment with the given PATH. */
export function programRunner(
  env: Readonly<Record<string, string | undefined>>,
  timeout: number = TIMEOUT_MS,
): RunProgram {
  return (program, args) =>
    new Promise((resolve, reject) => {
      execFile(program, args, { timeout, env: { ...env } }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout + stderr);
        else reject(error);
      });
    });
}
