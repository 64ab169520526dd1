import type { SparkConf } from "@kindling/core-spec";
import { parseServiceUri, type ServiceOfCluster } from "./service-uri.ts";
import { STAGING_INTERNAL_URI, STAGING_URI } from "./staging-keys.ts";

/** The service that `spark.kindling.staging.uri` names; see {@link parseServiceUri}. */
export function parseStagingService(uri: string): ServiceOfCluster | undefined {
  return parseServiceUri(uri, { key: STAGING_URI.key, example: "kindling/kindling-staging:10000" });
}

/** The staging server's address for pods: a service by its name in the cluster's DNS, if nothing else is configured. */
export function internalStagingUri(conf: SparkConf, uri: string): string {
  const given = conf.get(STAGING_INTERNAL_URI);
  if (given !== undefined) return given;
  const service = parseStagingService(uri);
  return service === undefined ? uri : `https://${service.name}.${service.namespace}.svc:${service.port}`;
}
