import { parseProperties } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { DRIVER_CONF_VOLUME, PROPERTIES_FILE } from "@kindling/steps";
import type { PodSpec } from "kubernetes-types/core/v1.js";

/** The ConfigMap with a driver's properties, which Spark's submission creates; `undefined` for a pod that has none. */
export function propertiesConfigMap(spec: PodSpec | undefined): string | undefined {
  return spec?.volumes?.find((volume) => volume.name === DRIVER_CONF_VOLUME)?.configMap?.name;
}

/** Reads a driver's properties from its ConfigMap. `undefined` if they may not be read, or are gone. */
export async function driverProperties(
  client: Pick<KubeClient, "get">,
  configMap: string,
  options: { readonly namespace: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<Record<string, string> | undefined> {
  try {
    const { data } = await client.get(resources.configmaps, configMap, options);
    return parseProperties(data?.[PROPERTIES_FILE] ?? "");
  } catch {
    return undefined;
  }
}
