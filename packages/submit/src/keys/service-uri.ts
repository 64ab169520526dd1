import { isDnsLabel, KindlingError, quotedName } from "@kindling/core-spec";

/** A service of the cluster that the API server's proxy forwards requests to. */
export interface ServiceOfCluster {
  readonly namespace: string;
  readonly name: string;
  readonly port: string;
}

const SCHEME = "k8s+https:";

/**
 * Reads `k8s+https://NAMESPACE/SERVICE:PORT`, which means a service that is reached through the API server's proxy.
 *
 * @param key the configuration key with the URI, and an example, for errors
 * @returns `undefined` for a URI of another scheme
 * @throws KindlingError `CONF_INVALID`
 */
export function parseServiceUri(
  uri: string,
  { key, example }: { readonly key: string; readonly example: string },
): ServiceOfCluster | undefined {
  if (!uri.toLowerCase().startsWith("k8s+")) return undefined;
  const [, namespace = "", name = "", port = ""] = /^k8s\+https:\/\/([^/:]+)\/([^/:]+):(\d{1,5})\/?$/i.exec(uri) ?? [];
  if (isDnsLabel(namespace) && isDnsLabel(name) && Number(port) > 0 && Number(port) < 65_536) {
    return { namespace, name, port: String(Number(port)) };
  }
  throw new KindlingError("CONF_INVALID", `${key}: ${quotedName(uri)} names no service of the cluster`, {
    hint: `write it as ${SCHEME}//NAMESPACE/SERVICE:PORT, such as ${SCHEME}//${example}`,
  });
}
