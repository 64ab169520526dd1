import { KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import { readText } from "@kindling/service";
import type { ConnectConfig } from "../config/connect-keys.ts";

const LEAST_KEY_BYTES = 32;

/**
 * The configuration that each driver starts with.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export function readDriverDefaults(config: ConnectConfig): Readonly<Record<string, string>> {
  const file = config["drivers.defaultsFile"];
  if (file === undefined) return {};
  try {
    return parseProperties(readText(file));
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${file}:${error.line}: ${error.message}`, { cause: error });
  }
}

/**
 * The key that the tokens of drivers are made from; `undefined` if drivers ask for none.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `CONF_INVALID`
 */
export function readDriverKey(config: ConnectConfig): Buffer | undefined {
  const file = config["drivers.keyFile"];
  if (file === undefined) return undefined;
  const key = Buffer.from(readText(file).trim());
  if (key.length >= LEAST_KEY_BYTES) return key;
  throw new KindlingError("CONF_INVALID", `drivers.keyFile: ${file} has fewer than ${LEAST_KEY_BYTES} bytes`);
}
