import { KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { readFailure } from "../files/read-failure.ts";
import { readSmallFile } from "../files/read-small-file.ts";

/**
 * Reads a properties file as spark-submit does (Utils.getPropertiesFromFile): Java's format, with values trimmed at both
 * ends.
 *
 * @param asked what named the file, such as `--properties-file`
 * @throws KindlingError `FILE_UNREADABLE` or `FILE_UNPARSABLE`, with the line
 */
export function readPropertiesFile(path: string, asked: string, clock: Clock): Record<string, string> {
  let text: string;
  try {
    text = readSmallFile(path, clock).toString("utf8");
  } catch (error) {
    const { fault, hint } = readFailure(error);
    throw new KindlingError("FILE_UNREADABLE", `${asked}: properties file ${path} cannot be read: ${fault}`, {
      ...(hint !== undefined && { hint }),
      cause: error,
    });
  }
  try {
    const properties = parseProperties(text);
    for (const key of Object.keys(properties)) properties[key] = trimBlanks(properties[key] ?? "");
    return properties;
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${asked}: ${path}, line ${error.line}: ${error.message}`, {
      cause: error,
    });
  }
}

/** All characters up to U+0020 are removed at both ends, but line ends stay (Utils.trimExceptCRLF). */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit <= 0x20 && unit !== 0x0a && unit !== 0x0d;
}
