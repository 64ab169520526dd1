import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

export interface ChildOptions {
  readonly env: Env;
  /** Its folder; this process's if unset. */
  readonly cwd?: string;
  /** Aborted, with the signal's name as the reason, when this process is told to stop. */
  readonly signal: AbortSignal;
}

/**
 * Runs a program with this process's own streams. A terminal sends its interrupt to both processes; a SIGTERM, which only
 * this one was sent, is passed on.
 *
 * @returns its exit code; 128 and the signal's number where one ended it, as a shell says it
 * @throws KindlingError `UNSUPPORTED` if it cannot be run
 */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<number> {
  const { env, cwd, signal } = options;
  const [{ spawn }, { constants }] = await Promise.all([import("node:child_process"), import("node:os")]);
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env: { ...env }, ...(cwd !== undefined && { cwd }) });
    const passOn = (): void => void (signal.reason === "SIGTERM" && child.kill("SIGTERM"));
    signal.addEventListener("abort", passOn, { once: true });
    child.on("error", (error) =>
      reject(new KindlingError("UNSUPPORTED", `${program} cannot be run: ${messageOf(error)}`, { cause: error })),
    );
    child.on("close", (code, ending) => {
      signal.removeEventListener("abort", passOn);
      resolve(code ?? 128 + (ending === null ? 0 : constants.signals[ending]));
    });
  });
}
