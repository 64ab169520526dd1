import { parseProperties } from "@kindling/core-spec";
import { type KubeClient, resources } from "@kindling/kube";
import { redact, secretsIn } from "@kindling/submit";
import type { SparkPod } from "../cluster/spark-pod.ts";

/** The driver's properties, as they may be shown, and what may be shown nowhere. */
export interface DriverConfiguration {
  readonly shown: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

const PROPERTIES_FILE = "spark.properties";

/**
 * Reads the properties that Spark's submission has put into a ConfigMap. `undefined` if they may not be read, or are gone.
 */
export async function driverConfiguration(
  client: Pick<KubeClient, "get">,
  { namespace, configMap }: Pick<SparkPod, "namespace" | "configMap">,
  signal: AbortSignal,
): Promise<DriverConfiguration | undefined> {
  if (configMap === undefined) return undefined;
  try {
    const { data } = await client.get(resources.configmaps, configMap, { namespace, signal });
    const entries = parseProperties(data?.[PROPERTIES_FILE] ?? "");
    return { shown: redact(entries), secrets: secretsIn(entries) };
  } catch {
    return undefined;
  }
}
