import { request } from "node:http";
import { harmlessText, KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { InstanceReport } from "./instance-status.ts";

const STATUS_MS = 5_000;
const LONGEST_PATH = 4096;

/** The status of the instance at a socket; undefined if there is none. */
export async function askStatus(socket: string, clock: Clock): Promise<InstanceReport | undefined> {
  const text = await call(socket, "GET", "/status", { clock, limitMs: STATUS_MS });
  return text === undefined ? undefined : parseReport(text, socket);
}

/** The answer is checked before it is shown: everybody who can write to the state folder can listen at the socket. */
function parseReport(text: string, socket: string): InstanceReport {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === "string" ? harmlessText(value, LONGEST_PATH) : value,
    ) as InstanceReport;
  } catch (error) {
    throw new KindlingError("UNSUPPORTED", `the process that listens at ${socket} is not kindling dev`, {
      hint: "remove the socket, or choose another --state",
      cause: error,
    });
  }
}

/** Asks the instance at a socket to end, and waits until everything except its process has ended. */
export async function askToStop(socket: string, patience: Patience): Promise<void> {
  await call(socket, "POST", "/stop", patience);
}

/** How long an answer may take. */
interface Patience {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

const NOBODY = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ECONNRESET"]);

async function call(
  socketPath: string,
  method: string,
  path: string,
  { clock, limitMs, signal }: Patience,
): Promise<string | undefined> {
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort(new Error(`no answer within ${limitMs / 1000} s`)));
  try {
    const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
    return await exchange(socketPath, method, path, either);
  } finally {
    cancel();
  }
}

function exchange(socketPath: string, method: string, path: string, signal: AbortSignal): Promise<string | undefined> {
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
