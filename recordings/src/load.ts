import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "./normalize.ts";
import type { Rejection } from "./stub-api-server.ts";

/** One run of the real spark-submit. */
export interface SubmitRecording {
  readonly name: string;
  readonly sparkVersion: string;
  readonly args: readonly string[];
  readonly app: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly exit: number;
  /** The error output of the real one, without stack frames, usage and progress. */
  readonly stderr?: readonly string[];
  readonly rejections?: readonly Rejection[];
  readonly objects: Readonly<Record<string, JsonObject>>;
}

/** One run of a real driver. */
export interface ExecutorRecording {
  readonly name: string;
  readonly sparkVersion: string;
  readonly conf: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly objects: Readonly<Record<string, JsonObject>>;
}

/** A request of a driver, with its answer. */
export interface DriverRequest {
  /** Seconds from the first request. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
  readonly type: string | null;
  readonly upgrade: string | null;
  readonly status: number;
}

/** All requests of a real driver from its start to its end. */
export interface DriverTraffic {
  readonly name: string;
  readonly sparkVersion: string;
  readonly requests: readonly DriverRequest[];
}

const ROOT = new URL("..", import.meta.url);

/** All recorded submissions. */
export function submitRecordings(): SubmitRecording[] {
  return load("submit") as unknown as SubmitRecording[];
}

/** All recorded drivers. */
export function executorRecordings(): ExecutorRecording[] {
  return load("executors") as unknown as ExecutorRecording[];
}

/** The traffic of all recorded drivers. */
export function driverTraffic(): DriverTraffic[] {
  const folder = new URL("driver-traffic/", ROOT);
  return readdirSync(folder).flatMap((sparkVersion) =>
    readdirSync(new URL(`${sparkVersion}/`, folder)).map((file) => {
      const requests = JSON.parse(readFileSync(new URL(`${sparkVersion}/${file}`, folder), "utf8")) as DriverRequest[];
      return { name: file.replace(/\.json$/, ""), sparkVersion, requests };
    }),
  );
}

function load(kind: string): JsonObject[] {
  const folder = new URL(`${kind}/`, ROOT);
  return readdirSync(folder).flatMap((version) =>
    readdirSync(new URL(`${version}/`, folder)).map((file) => {
      return JSON.parse(readFileSync(new URL(`${version}/${file}`, folder), "utf8")) as JsonObject;
    }),
  );
}
