import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ServerConfig } from "../../src/config/server-config.ts";
import type { DiskStep } from "../../src/stores/local-disk/steps.ts";
import { PROCESS_SETTINGS } from "./process-settings.ts";

export interface ServerProcess {
  readonly uri: string;
  readonly adminUri: string;
  isRunning(): boolean;
  /** Resident memory, in MiB; at its peak so far. */
  peakMemory(): number;
  /** Open files and sockets. */
  descriptors(): number;
  kill(): Promise<void>;
}

export interface ProcessOptions {
  /** Ends itself before the nth time of a step, as `kill -9` does. */
  readonly step?: DiskStep;
  readonly times?: number;
  /** How many files and sockets it may open; default: as many as this process. */
  readonly descriptors?: number;
}

const PROGRAM = fileURLToPath(new URL("../fixtures/crashing-server.mjs", import.meta.url));

/** Starts a server in a process of its own; it must have been built. */
export async function serverProcess(
  settings: Partial<ServerConfig>,
  { descriptors, ...crash }: ProcessOptions = {},
): Promise<ServerProcess> {
  const argument = JSON.stringify({ settings: { ...PROCESS_SETTINGS, ...settings }, ...crash });
  const limit = descriptors === undefined ? "true" : `ulimit -n ${descriptors}`;
  // The shell lowers its limit, and becomes the server.
  const child: ChildProcess = spawn("sh", ["-c", `${limit} && exec "$0" "$@"`, process.execPath, PROGRAM, argument], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { pid = 0 } = child;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  const uris = await new Promise<{ readonly uri: string; readonly adminUri: string }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { uri: string; adminUri: string }));
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return {
    ...uris,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    peakMemory: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
