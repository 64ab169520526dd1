import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { messageOf } from "@kindling/core-spec";
import { LocalizerError } from "./report/localizer-error.ts";

const MOST_BYTES = 4 * 1024 * 1024;

/** Reads a file of a secret or configuration; `undefined` if there is none. */
export function readSmallFile(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new LocalizerError("config", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new LocalizerError("config", `cannot read ${path}: it is no file`);
    if (stats.size > MOST_BYTES) throw new LocalizerError("config", `cannot read ${path}: it is larger than 4 MiB`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
