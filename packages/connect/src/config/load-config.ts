import { issuerSettings } from "@kindling/oidc/settings";
import { isLoopback } from "@kindling/service";
import { checkCertificatePair, load, settingMissing, type SettingSources } from "@kindling/service/settings";
import type { ConnectConfig } from "./connect-keys.ts";
import { CONNECT_PROGRAM } from "./program.ts";

/**
 * Reads the service's settings from flags, the environment, a properties file and defaults, in this order.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_MISSING`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: SettingSources): ConnectConfig {
  const config = load(CONNECT_PROGRAM, sources);
  checkCertificatePair(config);
  const host = config["listen.host"];
  const modes = new Set(config["auth.modes"]);
  const isOpen = modes.size === 0 || modes.has("none");
  if (!isLoopback(host)) {
    // Everybody who can reach it could run code in the cluster.
    if (isOpen) throw settingMissing("auth.modes", `${host} can be reached by others, who have to prove who they are`);
    if (config["tls.certFile"] === undefined) throw settingMissing("tls.certFile", `clients of ${host} send tokens`);
  }
  if (modes.has("token") && config["auth.accessFile"] === undefined)
    throw settingMissing("auth.accessFile", "auth.modes with token needs to know who may do what");
  if (modes.has("oidc") && issuerSettings(config) === undefined)
    throw settingMissing("oidc.issuerUrl", "auth.modes has oidc");
  return { ...config, "auth.modes": isOpen ? ["none"] : config["auth.modes"] };
}
