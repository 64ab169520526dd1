import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { PROCESS_SETTINGS } from "./process-settings.ts";

/** The report of a process about its server. */
export interface Outcome {
  readonly serving?: string;
  readonly refused?: string;
  readonly code?: string;
  readonly lost?: string;
}

export interface ContendingServer {
  readonly process: ChildProcess;
  /** Starts a server; resolves when it serves or has given up. */
  start(settings: Partial<ServerConfig>): Promise<Outcome>;
  stop(): Promise<void>;
  /** The next report of the process. */
  next(): Promise<Outcome>;
  kill(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../fixtures/contending-server.mjs", import.meta.url));

/** A process that can start a server at once, because all its code is loaded; it must have been built. */
export async function contendingServer(): Promise<ContendingServer> {
  // Without the conditions by which this process may find the sources of packages.
  const child = fork(PROGRAM, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const next = async (): Promise<Outcome> => ((await once(child, "message")) as [Outcome])[0];
  await next();
  return {
    process: child,
    next,
    async start(settings) {
      const said = next();
      child.send({ start: { ...PROCESS_SETTINGS, "shutdown.grace": 0, ...settings } });
      return await said;
    },
    async stop() {
      const said = next();
      child.send({ stop: true });
      await said;
    },
    async kill() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
