import { isDnsLabel, KindlingError, quotedName, USUAL_NAMESPACE } from "@kindling/core-spec";

/** Where a gateway serves its overview: at an address, or at a service that is reached through the API server. */
export type GatewayPlace = { readonly kind: "uri"; readonly uri: URL } | GatewayService;

/** A service of the cluster, and its port for the overview. */
export interface GatewayService {
  readonly kind: "service";
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The default of the gateway's admin port. */
const PORT = 8081;

/** The gateway's place if it was installed with the chart. */
export const USUAL_GATEWAY: GatewayService = {
  kind: "service",
  namespace: USUAL_NAMESPACE,
  name: "kindling-gateway",
  port: PORT,
};

const EXPECTED = "name an http or https URI, or a service as NAMESPACE/NAME or NAMESPACE/NAME:PORT";

/**
 * Reads a place as users write it: `http://127.0.0.1:8081`, `kindling/kindling-gateway`, `kindling/kindling-gateway:9000`.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function parseGatewayPlace(text: string): GatewayPlace {
  if (/^https?:\/\//.test(text)) {
    if (URL.canParse(text)) return { kind: "uri", uri: new URL(text) };
    throw new KindlingError("ARGUMENT_INVALID", `--gateway ${quotedName(text)} is no URI`, { hint: EXPECTED });
  }
  const [, namespace = "", name = "", port = String(PORT)] = /^([^/:]+)\/([^/:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (isDnsLabel(namespace) && isDnsLabel(name)) return { kind: "service", namespace, name, port: Number(port) };
  throw new KindlingError("ARGUMENT_INVALID", `--gateway ${quotedName(text)} is neither a URI nor a service`, {
    hint: EXPECTED,
  });
}

/** The place in words, for errors. */
export function shownPlace(place: GatewayPlace): string {
  return place.kind === "uri" ? place.uri.href : `service ${place.name} in namespace ${place.namespace}`;
}
