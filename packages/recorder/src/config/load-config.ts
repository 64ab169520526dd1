import { isLoopback } from "@kindling/service";
import { checkCertificatePair, load, settingMissing, type SettingSources } from "@kindling/service/settings";
import { RECORDER_PROGRAM } from "./program.ts";
import type { RecorderConfig } from "./recorder-keys.ts";

/**
 * Reads the recorder's settings from flags, the environment, a properties file and defaults, in this order.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_MISSING`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: SettingSources): RecorderConfig {
  const config = load(RECORDER_PROGRAM, sources);
  checkCertificatePair(config);
  const host = config["listen.host"];
  if (isLoopback(host)) return config;
  // Anybody who can reach it could read all logs.
  if (config["auth.mode"] === undefined || config["auth.mode"] === "none")
    throw settingMissing("auth.mode", `${host} can be reached by others, who have to prove who they are`);
  if (config["tls.certFile"] === undefined) throw settingMissing("tls.certFile", `clients of ${host} send tokens`);
  return config;
}
