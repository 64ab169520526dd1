import { isKindlingError, KindlingError, type ConfKey } from "@kindling/core-spec";

/** Reads a file that a configuration key names, so that an error names the key and not only the path. */
export function readFor<T>(key: ConfKey<unknown>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    throw new KindlingError(error.code, `${key.key}: ${error.message}`, {
      cause: error,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}
