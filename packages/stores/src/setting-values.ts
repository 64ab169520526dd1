import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { isObjectStoreError } from "@kindling/object-store";

/**
 * Reads a file; `undefined` if there is none.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new KindlingError("FILE_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Reads a file that a setting names.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export async function readNamed(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${setting}: cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What `make` returns; an address that cannot be used is an error of this setting. */
export function fromSetting<T>(setting: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isObjectStoreError(error)) throw error;
    const { message, hint } = error;
    throw new KindlingError("CONF_INVALID", `${setting}: ${message}`, {
      ...(hint !== undefined && { hint }),
      cause: error,
    });
  }
}
