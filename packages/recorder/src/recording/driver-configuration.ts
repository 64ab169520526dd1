import type { KubeClient } from "@kindling/kube";
import { driverProperties, redact, secretsIn } from "@kindling/submit";
import type { SparkPod } from "../cluster/spark-pod.ts";

/** The driver's properties, as they may be shown, and what may be shown nowhere. */
export interface DriverConfiguration {
  readonly shown: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/**
 * Reads the properties that Spark's submission has put into a ConfigMap. `undefined` if they may not be read, or are gone.
 */
export async function driverConfiguration(
  client: Pick<KubeClient, "get">,
  { namespace, configMap }: Pick<SparkPod, "namespace" | "configMap">,
  signal: AbortSignal,
): Promise<DriverConfiguration | undefined> {
  if (configMap === undefined) return undefined;
  const entries = await driverProperties(client, configMap, { namespace, signal });
  return entries && { shown: redact(entries), secrets: secretsIn(entries) };
}
