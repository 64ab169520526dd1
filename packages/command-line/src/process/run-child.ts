import { accessSync, constants as fileConstants } from "node:fs";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

export interface ChildOptions {
  readonly env: Env;
  /** Its folder. Default: this process's folder. */
  readonly cwd?: string;
  /** Aborted, with the signal's name as the reason, when this process is told to stop. */
  readonly signal: AbortSignal;
  /**
   * Whether the caller sees both as one process: then the program also gets a SIGINT if there is no terminal that sends it to
   * both, and it ends when this process is killed.
   */
  readonly inPlace?: boolean;
}

/**
 * Runs a program with this process's own streams. A terminal sends its interrupt to both processes; a SIGTERM, which only
 * this process gets, is passed on.
 *
 * @returns its exit code; if a signal ended it, 128 plus the signal's number, as in a shell
 * @throws KindlingError `UNSUPPORTED` if it cannot be run
 */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<number> {
  const { env, cwd, signal, inPlace = false } = options;
  const refused = (error: unknown): KindlingError => {
    const why = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
    return new KindlingError("UNSUPPORTED", `${program} cannot be run: ${why}`, { cause: error });
  };
  try {
    // Otherwise the shell that is started first would report the error in its own words.
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
