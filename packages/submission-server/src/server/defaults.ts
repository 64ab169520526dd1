import { KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";

/**
 * Reads the configuration that submissions start with.
 *
 * @param readFile throws KindlingError `FILE_UNREADABLE`
 * @throws KindlingError `FILE_UNPARSABLE`
 */
export function readDefaults(
  path: string | undefined,
  readFile: (path: string) => string,
): Readonly<Record<string, string>> {
  if (path === undefined) return {};
  try {
    return parseProperties(readFile(path));
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${path}:${error.line}: ${error.message}`, { cause: error });
  }
}
