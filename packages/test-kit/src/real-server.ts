import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

// The folder of the real servers from `servers/fetch.mjs`.
const SERVERS = process.env["KINDLING_TEST_SERVERS"] ?? join(homedir(), ".cache", "kindling-test-servers");

/** How long a test's hook that starts a server may take: a JVM on a busy machine takes a minute or more. */
export const START_LIMIT_MS = 240_000;

const PAUSE_MS = 50;

/** The path of a fetched server; `undefined` if it was not fetched. */
export function fetchedServer(name: string): string | undefined {
  const path = join(SERVERS, name);
  return existsSync(path) ? path : undefined;
}

export interface RealServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface RealServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly endpoint: string;
  /**
   * Writes something, reads it back and removes it. Rejects if the server cannot do that yet. It is not enough that the
   * server listens, or reports that it is healthy: parts of it may still be starting.
   */
  readonly tryWrite: () => Promise<void>;
}

/** Starts a server and waits until it accepts a write and returns the data. */
export async function startRealServer(options: RealServerOptions): Promise<RealServer> {
  const { command, args, env, endpoint, tryWrite } = options;
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-4000)));
  let ended: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const end = (how: string): void => {
      ended = how;
      resolve();
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(`it ended with ${signal ?? code}`));
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };

  const latest = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await tryWrite();
      return { endpoint, stop };
    } catch (error) {
      const late = performance.now() > latest ? `it takes no write: ${String(error)}` : undefined;
      const why = ended ?? late;
      if (why !== undefined) {
        await stop();
        throw new Error(`${command} did not start: ${why}\n${said}`, { cause: error });
      }
    }
    await wait(PAUSE_MS);
  }
}
