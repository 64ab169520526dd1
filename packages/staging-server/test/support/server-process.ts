import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ServerConfig } from "../../src/config/server-config.ts";
import type { DiskStep } from "../../src/stores/local-disk/steps.ts";

export interface ServerProcess {
  readonly uri: string;
  isRunning(): boolean;
  kill(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../fixtures/crashing-server.mjs", import.meta.url));

/** Starts a server in a process of its own; it must have been built. */
export async function serverProcess(
  settings: Partial<ServerConfig>,
  crash?: { readonly step: DiskStep; readonly times: number },
): Promise<ServerProcess> {
  const base = {
    "listen.port": 0,
    "admin.port": 0,
    "admin.host": "127.0.0.1",
    "store.minFree": 0,
    "lifecycle.owners": "none",
  };
  const argument = JSON.stringify({ settings: { ...base, ...settings }, ...crash });
  const child: ChildProcess = fork(PROGRAM, [argument], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  const uri = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { uri: string }).uri));
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return {
    uri,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
