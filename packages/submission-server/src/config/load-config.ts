import { KindlingError } from "@kindling/core-spec";
import { issuerSettings } from "@kindling/oidc/settings";
import { isLoopback } from "@kindling/service";
import { checkCertificatePair, load, settingMissing, type SettingSources } from "@kindling/service/settings";
import { SERVE_PROGRAM } from "./program.ts";
import type { AuthenticationMode, ServeConfig } from "./serve-keys.ts";

/**
 * Reads the service's settings from flags, the environment, a properties file and defaults, in this order.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_MISSING`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: SettingSources): ServeConfig {
  const written = load(SERVE_PROGRAM, sources);
  const config = { ...written, "auth.modes": modesOf(written) };
  checkTls(config);
  const needsFile = config["auth.modes"].find((mode) => mode === "token" || mode === "mtls");
  if (needsFile !== undefined && config["auth.accessFile"] === undefined)
    throw settingMissing("auth.accessFile", `auth.modes with ${needsFile} needs to know who may do what`);
  checkOidc(config);
  return config;
}

function checkOidc(config: ServeConfig): void {
  const isWanted = config["auth.modes"].includes("oidc");
  const issuer = issuerSettings(config);
  if (isWanted && issuer === undefined) throw settingMissing("oidc.issuerUrl", "auth.modes has oidc");
  if (!isWanted && issuer !== undefined)
    throw new KindlingError("CONF_CONFLICT", "oidc.issuerUrl is set, and auth.modes does not have oidc", {
      hint: "add oidc to auth.modes, or leave out the settings of oidc",
    });
}

/** Everybody who can reach a service without authentication could create pods, so only this machine may reach it. */
function modesOf(config: ServeConfig): readonly AuthenticationMode[] {
  const modes = config["auth.modes"];
  const isOpen = modes.length === 0 || modes.includes("none");
  if (isOpen && !isLoopback(config["listen.host"]))
    throw settingMissing(
      "auth.modes",
      `${config["listen.host"]} can be reached by others, who have to prove who they are`,
    );
  return isOpen ? ["none"] : modes;
}

function checkTls(config: ServeConfig): void {
  checkCertificatePair(config);
  const { "tls.certFile": certFile } = config;
  if (certFile === undefined && !isLoopback(config["listen.host"]) && !config["tls.plainHttp"])
    throw settingMissing("tls.certFile", `clients of ${config["listen.host"]} send tokens`);
  if (config["auth.modes"].includes("mtls") && (certFile === undefined || config["tls.clientCaFile"] === undefined))
    throw settingMissing("tls.clientCaFile", "mtls needs TLS and the authority of the client certificates");
}
