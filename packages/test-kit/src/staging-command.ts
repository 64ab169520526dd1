import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** The staging server's command, as a process that serves. */
export interface StagingCommand {
  readonly uri: string;
  readonly adminUri: string;
  /** All log lines so far. */
  readonly log: () => string;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Runs the command, which must be built already, until it serves.
 *
 * @param program the path of `kindling-staging-server.cjs`; the caller depends on its package, which is tested with this one
 * @param atEnd receives the function that kills it; default: it is killed when the test ends
 */
export async function stagingCommand(
  program: string,
  args: readonly string[],
  atEnd: (kill: () => void) => void = onTestFinished,
): Promise<StagingCommand> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  atEnd(() => void child.kill("SIGKILL"));
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let text = "";
  const { uri, adminUri } = await new Promise<{ uri: string; adminUri: string }>((resolve, reject) => {
    child.once("exit", () => reject(new Error(text)));
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString();
      for (const line of text.split("\n").slice(0, -1)) {
        const entry = JSON.parse(line) as { msg: string; uri?: string; adminUri?: string };
        const { msg, uri: served, adminUri: admin } = entry;
        if (msg === "serving" && served !== undefined && admin !== undefined) resolve({ uri: served, adminUri: admin });
      }
    });
  });
  return {
    uri,
    adminUri,
    log: () => text,
    stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}
