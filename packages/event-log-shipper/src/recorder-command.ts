import { isKindlingError, messageOf } from "@kindling/core-spec";
import { type HttpTransport, httpTransport, type TransportOptions, withoutProxy } from "@kindling/http";
import { type Env, systemClock } from "@kindling/outside";
import type { RecorderAccessSettings } from "./settings.ts";

/** A command of this package: it takes no arguments, and speaks with the recorder. */
export interface RecorderCommand<S extends RecorderAccessSettings> {
  readonly name: string;
  /** What it does, for `--help`. */
  readonly purpose: string;
  readonly limits: Pick<TransportOptions, "connectTimeoutMs" | "stallTimeoutMs" | "answerTimeoutMs" | "maxConnections">;
  /** @throws KindlingError */
  readonly settingsIn: (env: Env) => S;
  readonly work: (settings: S, tools: CommandTools) => Promise<void>;
}

export interface CommandTools {
  readonly http: HttpTransport;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

/**
 * Runs a command. An error is written for the user.
 *
 * @returns whether it has done what it is for
 */
export async function runRecorderCommand<S extends RecorderAccessSettings>(
  { name, purpose, limits, settingsIn, work }: RecorderCommand<S>,
  { argv, env, stdout, stderr }: Pick<NodeJS.Process, "argv" | "env" | "stdout" | "stderr">,
): Promise<boolean> {
  const write = (line: string): void => void stderr.write(`${name}: ${line}\n`);
  if (argv.length > 2) {
    stdout.write(`usage: ${name}   ${purpose}; the environment says which\n`);
    return true;
  }
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => ending.abort());
  try {
    const settings = settingsIn(env);
    const tls = { ca: [...settings.authorities] };
    const http = httpTransport({ clock: systemClock, tls, proxies: withoutProxy, ...limits });
    await work(settings, { http, signal: ending.signal, write });
    http.close();
    return true;
  } catch (error) {
    write(messageOf(error));
    if (isKindlingError(error) && error.hint !== undefined) write(`  ${error.hint}`);
    return false;
  }
}
