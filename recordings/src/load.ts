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
  /** What the real one said when it failed, without stack frames, usage and progress. */
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

const ROOT = new URL("..", import.meta.url);

/** All recorded submissions. */
export function submitRecordings(): SubmitRecording[] {
  return load("submit") as unknown as SubmitRecording[];
}

/** All recorded drivers. */
export function executorRecordings(): ExecutorRecording[] {
  return load("executors") as unknown as ExecutorRecording[];
}

function load(kind: string): JsonObject[] {
  const folder = new URL(`${kind}/`, ROOT);
  return readdirSync(folder).flatMap((version) =>
    readdirSync(new URL(`${version}/`, folder)).map((file) => {
      return JSON.parse(readFileSync(new URL(`${version}/${file}`, folder), "utf8")) as JsonObject;
    }),
  );
}
