import { accessSync, constants as fileConstants } from "node:fs";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

export interface ChildOptions {
  readonly env: Env;
  /** Its folder; this process's if unset. */
  readonly cwd?: string;
  /** Aborted, with the signal's name as the reason, when this process is told to stop. */
  readonly signal: AbortSignal;
  /**
   * Whether both are one process to whoever started this one: the program then gets a SIGINT, too, where there is no
   * terminal that sends it to both, and ends when this process is killed.
   */
  readonly inPlace?: boolean;
}

/**
 * Runs a program with this process's own streams. A terminal sends its interrupt to both processes; a SIGTERM, which only
 * this one was sent, is passed on.
 *
 * @returns its exit code; 128 and the signal's number where one ended it, as a shell says it
 * @throws KindlingError `UNSUPPORTED` if it cannot be run
 */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<number> {
  const { env, cwd, signal, inPlace = false } = options;
  const refused = (error: unknown): KindlingError => {
    const why = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
    return new KindlingError("UNSUPPORTED", `${program} cannot be run: ${why}`, { cause: error });
  };
  try {
    // A shell that is started first would say it in words of its own.
    if (inPlace) accessSync(program, fileConstants.X_OK);
  } catch (error) {
    throw refused(error);
  }
  const [{ spawn }, { constants }, { isatty }, { spawnWatched }] = await Promise.all([
    import("node:child_process"),
    import("node:os"),
    import("node:tty"),
    import("./spawn-watched.ts"),
  ]);
  return await new Promise((resolve, reject) => {
    const where = { env: { ...env }, ...(cwd !== undefined && { cwd }) };
    const isWatched = inPlace && process.platform !== "win32";
    const { child, release } = isWatched
      ? spawnWatched(program, args, where)
      : { child: spawn(program, args, { ...where, stdio: "inherit" }), release: () => undefined };
    const passOn = (): void => {
      if (signal.reason === "SIGTERM") child.kill("SIGTERM");
      else if (inPlace && !isatty(0)) child.kill("SIGINT");
    };
    signal.addEventListener("abort", passOn, { once: true });
    child.on("error", (error) => reject(refused(error)));
    child.on("exit", (code, ending) => {
      release();
      signal.removeEventListener("abort", passOn);
      resolve(code ?? 128 + (ending === null ? 0 : constants.signals[ending]));
    });
  });
}
