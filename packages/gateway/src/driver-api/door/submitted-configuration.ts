import type { KubeObject } from "@kindling/kube-objects";
import { ApiError } from "@kindling/api-server";
import { parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { POD_NAME_PREFIX, POD_TEMPLATE_ENTRY, POD_TEMPLATE_VOLUME, PROPERTIES_FILE } from "@kindling/steps";
import { parse, YAMLParseError } from "yaml";
import { driverConfMap } from "../../controllers/executors/steps/executor-recipe.ts";
import { objectAt, objectsAt, textAt, textsAt } from "../../json/fields.ts";
import { configMapEntries } from "../../cluster/config-map-entries.ts";

/** What the submission of an application says about its executors. A driver cannot change any of it. */
export interface SubmittedConfiguration {
  /** The prefix of the names of executors. */
  readonly podNamePrefix: string | undefined;
  /** The names of executors' claims, with the placeholders `OnDemand` and `SPARK_EXECUTOR_ID` that Spark fills in. */
  readonly claimNames: readonly string[];
  /** Labels of executors, with the placeholders `{{APP_ID}}` and `{{EXECUTOR_ID}}` that Spark fills in. */
  readonly executorLabels: Texts;
  /** Labels of on-demand claims (since Spark 4.1). */
  readonly claimLabels: Texts;
}

type Texts = Readonly<Record<string, string>>;

const EXECUTOR_LABEL = /^spark\.kubernetes\.executor\.label\.(.+)$/;
const DECOMMISSION_LABEL = "spark.kubernetes.executor.decommissionLabel";
const DECOMMISSION_LABEL_VALUE = "spark.kubernetes.executor.decommissionLabelValue";
// `MountVolumesFeatureStep`.
const CLAIM_LABEL = /^spark\.kubernetes\.executor\.volumes\.persistentVolumeClaim\.[^.]+\.label\.(.+)$/;
const CLAIM_NAME = /^spark\.kubernetes\.executor\.volumes\.persistentVolumeClaim\.[^.]+\.options\.(claimName)$/;

/**
 * Reads the configuration with which a driver pod was submitted: its ConfigMap, the `--conf` arguments of its containers, and
 * the executors' pod template. Without a submission in cluster mode there are only the arguments.
 *
 * @throws ApiError 503 if the cluster cannot be asked
 */
export async function submittedConfiguration(client: KubeClient, driver: KubeObject): Promise<SubmittedConfiguration> {
  const templates = objectsAt(driver, "spec", "volumes").find(({ name }) => name === POD_TEMPLATE_VOLUME);
  const [configuration, template] = await Promise.all([
    readableEntries(client, driver, driverConfMap(driver)),
    readableEntries(client, driver, textAt(templates, "configMap", "name")),
  ]);
  const conf = { ...propertiesOf(configuration[PROPERTIES_FILE] ?? ""), ...confArguments(driver) };
  const decommission = conf[DECOMMISSION_LABEL];
  return {
    podNamePrefix: conf[POD_NAME_PREFIX.key],
    claimNames: matching(conf, CLAIM_NAME).map(([, name]) => name),
    executorLabels: {
      ...labelsOf(template[POD_TEMPLATE_ENTRY] ?? ""),
      ...Object.fromEntries(matching(conf, EXECUTOR_LABEL)),
      ...(decommission !== undefined && { [decommission]: conf[DECOMMISSION_LABEL_VALUE] ?? "" }),
    },
    claimLabels: Object.fromEntries(matching(conf, CLAIM_LABEL)),
  };
}

/** For each matching key: the first group of the pattern, and the value. */
function matching(conf: Texts, pattern: RegExp): (readonly [string, string])[] {
  return Object.entries(conf).flatMap(([key, value]) => {
    const found = pattern.exec(key)?.[1];
    return found === undefined ? [] : [[found, value] as const];
  });
}

/** Empty for a ConfigMap that the gateway may not read. */
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

/** The arguments of spark-submit or spark-shell in the pod itself, in client mode: `--conf key=value`. */
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
