import { isDnsLabel, KindlingError, type SparkConf } from "@kindling/core-spec";
import { USUAL_GATEWAY, type GatewayPlace } from "@kindling/gateway-client";
import { SCHEDULER_URI } from "@kindling/steps";
import { GATEWAY_PAGE } from "./gateway-keys.ts";

/**
 * The gateway's place in the configuration: the page's own address, or the service that drivers connect to.
 *
 * @throws KindlingError `CONF_MISSING` if the drivers' address does not show a service
 */
export function configuredGatewayPlace(conf: SparkConf): GatewayPlace {
  const page = conf.get(GATEWAY_PAGE);
  if (page !== undefined) return { kind: "uri", uri: new URL(page) };
  const uri = conf.get(SCHEDULER_URI);
  if (uri === undefined) return USUAL_GATEWAY;
  const [, name, namespace] = /^([a-z0-9-]+)\.([a-z0-9-]+)(?:\.svc(?:\..+)?)?$/.exec(new URL(uri).hostname) ?? [];
  // An address such as 10.0.0.1 has dots as well.
  if (name !== undefined && namespace !== undefined && isDnsLabel(name) && /[a-z]/.test(namespace)) {
    return { kind: "service", namespace, name, port: USUAL_GATEWAY.port };
  }
  throw new KindlingError("CONF_MISSING", `${SCHEDULER_URI.key} is ${uri}, which names no service of the cluster`, {
    hint: `say with --gateway, or with ${GATEWAY_PAGE.key}, where the gateway's page is`,
  });
}
