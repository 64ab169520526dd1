import { KindlingError } from "@kindling/core-spec";
import { load, settingMissing, type SettingSources } from "@kindling/service/settings";
import type { GatewayConfig } from "./gateway-keys.ts";
import { kerberosFault } from "./kerberos-config.ts";
import { leaderFault } from "./leader-config.ts";
import { signedInPage } from "./page-keys.ts";
import { GATEWAY_PROGRAM } from "./program.ts";
import { recorderFault } from "./recorder-keys.ts";

/**
 * Reads the gateway's settings from flags, the environment, a properties file and defaults, in this order.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_MISSING`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: SettingSources): GatewayConfig {
  const config = load(GATEWAY_PROGRAM, sources);
  checkTls(config);
  signedInPage(config);
  const fault = leaderFault(config) ?? kerberosFault(config) ?? recorderFault(config);
  if (fault !== undefined) throw new KindlingError("CONF_INVALID", fault);
  return config;
}

/** Drivers send tokens, so TLS cannot be left out by mistake. */
function checkTls(config: GatewayConfig): void {
  if (config["tls.plainHttp"]) return;
  for (const key of ["tls.certFile", "tls.keyFile"] as const) {
    if (config[key] === undefined) throw settingMissing(key, "drivers are served only over TLS");
  }
}
