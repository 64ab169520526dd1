import { readFileSync } from "node:fs";
import { KindlingError, messageOf } from "@kindling/core-spec";

/**
 * Reads a configuration file of a service, at its start.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
