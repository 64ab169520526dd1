import { isDnsLabel, KindlingError, quotedName, type SparkConf } from "@kindling/core-spec";
import { SCHEDULER_URI } from "@kindling/steps";
import { GATEWAY_PAGE } from "../keys/gateway-keys.ts";
import { USUAL_NAMESPACE } from "../keys/installation-key.ts";

/** Where a gateway tells of its queues: at an address, or at a service that the API server reaches for us. */
export type GatewayPlace = { readonly kind: "uri"; readonly uri: URL } | GatewayService;

/** A service of the cluster, and the port of it that tells of queues. */
export interface GatewayService {
  readonly kind: "service";
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The gateway's admin port, unless it was told otherwise. */
const PORT = 8081;

/** Where the chart puts it. */
export const USUAL_GATEWAY: GatewayService = {
  kind: "service",
  namespace: USUAL_NAMESPACE,
  name: "kindling-gateway",
  port: PORT,
};

const EXPECTED = "name an http or https URI, or a service as NAMESPACE/NAME or NAMESPACE/NAME:PORT";

/**
 * Reads what somebody writes: `http://127.0.0.1:8081`, `kindling/kindling-gateway`, `kindling/kindling-gateway:9000`.
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

/**
 * Where the configuration has it: the page's own address, or the service that drivers talk to.
 *
 * @throws KindlingError `CONF_MISSING` if drivers reach it in a way that tells nothing of a service
 */
export function configuredGatewayPlace(conf: SparkConf): GatewayPlace {
  const page = conf.get(GATEWAY_PAGE);
  if (page !== undefined) return { kind: "uri", uri: new URL(page) };
  const uri = conf.get(SCHEDULER_URI);
  if (uri === undefined) return USUAL_GATEWAY;
  const [, name, namespace] = /^([a-z0-9-]+)\.([a-z0-9-]+)(?:\.svc(?:\..+)?)?$/.exec(new URL(uri).hostname) ?? [];
  // 10.0.0.1 has dots as well.
  if (name !== undefined && namespace !== undefined && isDnsLabel(name) && /[a-z]/.test(namespace)) {
    return { kind: "service", namespace, name, port: PORT };
  }
  throw new KindlingError("CONF_MISSING", `${SCHEDULER_URI.key} is ${uri}, which names no service of the cluster`, {
    hint: `say with --gateway, or with ${GATEWAY_PAGE.key}, where the gateway's page is`,
  });
}

/** In words, for errors. */
export function shownPlace(place: GatewayPlace): string {
  return place.kind === "uri" ? place.uri.href : `service ${place.name} in namespace ${place.namespace}`;
}
