import { request } from "node:http";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { InstanceReport } from "./instance-status.ts";

const STATUS_MS = 5_000;

/** What the instance at a socket tells of itself; undefined if there is none. */
export async function askStatus(socket: string): Promise<InstanceReport | undefined> {
  const text = await call(socket, "GET", "/status", AbortSignal.timeout(STATUS_MS));
  return text === undefined ? undefined : (JSON.parse(text) as InstanceReport);
}

/** Asks the instance at a socket to end, and waits until all but its process has. */
export async function askToStop(socket: string, signal: AbortSignal): Promise<void> {
  await call(socket, "POST", "/stop", signal);
}

const NOBODY = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ECONNRESET"]);

function call(socketPath: string, method: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      if (NOBODY.has((error as NodeJS.ErrnoException).code ?? "")) return resolve(undefined);
      const message = `the instance at ${socketPath} does not answer: ${messageOf(signal.reason ?? error)}`;
      reject(new KindlingError("UNSUPPORTED", message, { hint: "see its log, or end its process", cause: error }));
    };
    const sent = request({ socketPath, method, path, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", fail);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else fail(new Error(text));
      });
    });
    sent.on("error", fail);
    sent.end();
  });
}
