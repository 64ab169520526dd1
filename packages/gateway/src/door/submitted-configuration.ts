import { ApiError, type KubeObject } from "@kindling/api-server";
import { parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { POD_TEMPLATE_ENTRY, POD_TEMPLATE_VOLUME, PROPERTIES_FILE } from "@kindling/steps";
import { parse, YAMLParseError } from "yaml";
import { driverConfMap } from "../executor-steps/executor-recipe.ts";
import { objectAt, objectsAt, textAt, textsAt } from "../json/fields.ts";
import { configMapEntries } from "../upstream/config-map-entries.ts";

/** What whoever submitted an application has said of its executors. A driver cannot change any of it. */
export interface SubmittedConfiguration {
  /** The Spark configuration that the driver started with; without references resolved. */
  readonly conf: Readonly<Record<string, string>>;
  /** The labels of the executors' pod template. */
  readonly templateLabels: Readonly<Record<string, string>>;
}

/**
 * Reads what a driver pod was submitted with: its ConfigMap, the `--conf` arguments of its containers, and the executors'
 * pod template. Without a submission in cluster mode there is no more than the arguments.
 *
 * @throws ApiError 503 if the cluster cannot be asked
 */
export async function submittedConfiguration(client: KubeClient, driver: KubeObject): Promise<SubmittedConfiguration> {
  const templates = objectsAt(driver, "spec", "volumes").find(({ name }) => name === POD_TEMPLATE_VOLUME);
  const [configuration, template] = await Promise.all([
    readableEntries(client, driver, driverConfMap(driver)),
    readableEntries(client, driver, textAt(templates, "configMap", "name")),
  ]);
  return {
    conf: { ...propertiesOf(configuration[PROPERTIES_FILE] ?? ""), ...confArguments(driver) },
    templateLabels: labelsOf(template[POD_TEMPLATE_ENTRY] ?? ""),
  };
}

/** A ConfigMap that the gateway may not read says nothing. */
async function readableEntries(
  client: KubeClient,
  { metadata: { namespace = "" } }: KubeObject,
  name: string | undefined,
): Promise<Record<string, string>> {
  if (name === undefined) return {};
  try {
    return await configMapEntries(client, namespace, name);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 403) return {};
    throw error;
  }
}

function propertiesOf(text: string): Record<string, string> {
  try {
    return parseProperties(text);
  } catch (error) {
    if (error instanceof PropertiesSyntaxError) return {};
    throw error;
  }
}

function labelsOf(template: string): Record<string, string> {
  try {
    const labels = objectAt(parse(template), "metadata", "labels");
    return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)]));
  } catch (error) {
    if (error instanceof YAMLParseError) return {};
    throw error;
  }
}

/** What spark-submit and spark-shell are given in the pod itself, in client mode: `--conf key=value`. */
function confArguments(driver: KubeObject): Record<string, string> {
  const conf: Record<string, string> = {};
  for (const container of objectsAt(driver, "spec", "containers")) {
    const words = [...textsAt(container, "command"), ...textsAt(container, "args")];
    for (const [index, word] of words.entries()) {
      const given = /^(?:--conf|-c)$/.test(word) ? words[index + 1] : /^--conf=(.*)$/s.exec(word)?.[1];
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(given ?? "") ?? [];
      if (key !== undefined && value !== undefined) conf[key] = value;
    }
  }
  return conf;
}
