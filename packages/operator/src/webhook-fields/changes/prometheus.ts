import type { PodChanges } from "@kindling/core-spec";
import { prometheusConfigMapName } from "../../resources/object-names.ts";
import type { RoleFields } from "../role-fields.ts";
import { mountedConfigMaps } from "./config-maps.ts";

/** The ConfigMap of the exporter and its port, for roles whose metrics are shown. */
export function prometheus({ application, role }: RoleFields): Partial<PodChanges> {
  const { monitoring } = application.spec;
  if (monitoring?.prometheus === undefined) return {};
  const { port = 8090, portName = "jmx-exporter", configFile = "" } = monitoring.prometheus;
  const isShown = role === "driver" ? monitoring.exposeDriverMetrics : monitoring.exposeExecutorMetrics;
  // With both files in the image there is no ConfigMap.
  const isInImage = configFile !== "" && (monitoring.metricsPropertiesFile ?? "") !== "";
  if (!isShown || isInImage) return {};
  const configMap = prometheusConfigMapName(application.metadata.name);
  return {
    ...mountedConfigMaps([{ configMap, volume: `${configMap}-vol`, path: "/etc/metrics/conf" }]),
    ports: [{ name: portName, containerPort: port, protocol: "TCP" }],
  };
}
