import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { httpCall, type Answer, type Call } from "./http-call.ts";
import { PROCESS_SETTINGS } from "./process-settings.ts";

export interface DiskFault {
  /** Which call of the file system fails, counted from 1. */
  readonly at?: number;
  /** The next call of this name fails. */
  readonly call?: string;
  /**
   * All calls of a kind fail. `new`: calls that need room; `write`: calls that change anything; `opening`: calls that
   * open a file.
   */
  readonly kind?: "new" | "write" | "opening" | "all";
  /** Such as `ENOSPC`. */
  readonly code: string;
}

/** A server in a process of its own; it must have been built. */
export interface FaultyDiskServer {
  readonly uri: string;
  readonly adminUri: string;
  call(path: string, call?: Call): Promise<Answer>;
  /** Counts calls from now on, and makes one of them fail. */
  arm(fault: DiskFault | null): Promise<void>;
  /** The calls since, and whether the fault is still to come. */
  calls(): Promise<{ readonly calls: readonly string[]; readonly pending: boolean }>;
  /** The open files of the process in the data folder. */
  openFiles(): Promise<readonly string[]>;
  kill(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../fixtures/faulty-disk-server.mjs", import.meta.url));
// A request without an answer after this time will not get one.
const ANSWER_WITHIN_MS = 20_000;

export async function faultyDiskServer(settings: Partial<ServerConfig>): Promise<FaultyDiskServer> {
  const argument = JSON.stringify({ settings: { ...PROCESS_SETTINGS, ...settings } });
  // Without the conditions by which this process may find the sources of packages.
  const child = fork(PROGRAM, [argument], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const next = async <T>(): Promise<T> => ((await once(child, "message")) as [T])[0];
  const ask = async <T>(message: object): Promise<T> => {
    const answer = next<T>();
    child.send(message);
    return await answer;
  };
  const { uri, adminUri } = await next<{ uri: string; adminUri: string }>();
  return {
    uri,
    adminUri,
    async call(path, call) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer to ${call?.method ?? "GET"} ${path}`)), ANSWER_WITHIN_MS);
      });
      try {
        return await Promise.race([httpCall(new URL(path, uri).href, call), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    arm: (fault) => ask({ arm: fault }),
    calls: () => ask({ ask: "calls" }),
    async kill() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    openFiles: async () => (await ask<{ openFiles: string[] }>({ ask: "openFiles" })).openFiles,
  };
}
