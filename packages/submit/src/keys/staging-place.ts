import { isDnsLabel, KindlingError, quotedName, type SparkConf } from "@kindling/core-spec";
import { STAGING_INTERNAL_URI, STAGING_URI } from "./staging-keys.ts";

/** A service of the cluster that the API server's proxy forwards requests to. */
export interface StagingService {
  readonly namespace: string;
  readonly name: string;
  readonly port: string;
}

const SCHEME = "k8s+https:";

/**
 * Reads `k8s+https://NAMESPACE/SERVICE:PORT`, which means a service that is reached through the API server's proxy.
 *
 * @returns `undefined` for a URI of another scheme
 * @throws KindlingError `CONF_INVALID`
 */
export function parseStagingService(uri: string): StagingService | undefined {
  if (!uri.toLowerCase().startsWith("k8s+")) return undefined;
  const [, namespace = "", name = "", port = ""] = /^k8s\+https:\/\/([^/:]+)\/([^/:]+):(\d{1,5})\/?$/i.exec(uri) ?? [];
  if (isDnsLabel(namespace) && isDnsLabel(name) && Number(port) > 0 && Number(port) < 65_536) {
    return { namespace, name, port: String(Number(port)) };
  }
  throw new KindlingError("CONF_INVALID", `${STAGING_URI.key}: ${quotedName(uri)} names no service of the cluster`, {
    hint: `write it as ${SCHEME}//NAMESPACE/SERVICE:PORT, such as ${SCHEME}//kindling/kindling-staging:10000`,
  });
}

/** The staging server's address for pods: a service by its name in the cluster's DNS, if nothing else is configured. */
export function internalStagingUri(conf: SparkConf, uri: string): string {
  const given = conf.get(STAGING_INTERNAL_URI);
  if (given !== undefined) return given;
  const service = parseStagingService(uri);
  return service === undefined ? uri : `https://${service.name}.${service.namespace}.svc:${service.port}`;
}
