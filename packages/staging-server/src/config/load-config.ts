import { checkCertificatePair, load, settingMissing, type SettingSources } from "@kindling/service/settings";
import { isLoopback } from "@kindling/service";
import { missingSetting } from "../stores/stores.ts";
import { SERVER_PROGRAM } from "./program.ts";
import type { ServerConfig } from "./server-config.ts";

/**
 * Reads the settings from flags, the environment, a properties file and defaults, in this order.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_CONFLICT`, `CONF_MISSING`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: SettingSources): ServerConfig {
  const config = load(SERVER_PROGRAM, sources);
  checkTogether(config);
  return config;
}

function checkTogether(config: ServerConfig): void {
  checkCertificatePair(config);
  const mode = config["auth.mode"];
  if (mode === undefined && !isLoopback(config["listen.host"])) {
    throw settingMissing("auth.mode", `${config["listen.host"]} can be reached by others`);
  }
  if ((mode === "token" || mode === "mtls") && config["auth.accessFile"] === undefined) {
    throw settingMissing("auth.accessFile", `auth.mode=${mode} needs to know who may do what`);
  }
  if (mode === "kubernetes" && config["auth.audiences"].length === 0) {
    throw settingMissing(
      "auth.audiences",
      "tokens of the API server's own audience would give more rights than an upload needs",
    );
  }
  if (mode === "mtls" && (config["tls.certFile"] === undefined || config["tls.clientCaFile"] === undefined)) {
    throw settingMissing("tls.clientCaFile", "auth.mode=mtls needs TLS and the authority of the client certificates");
  }
  const kind = config["store.kind"];
  const ofStore = missingSetting(kind, config);
  if (ofStore !== undefined) throw settingMissing(ofStore, `store.kind is ${kind}`);
}
