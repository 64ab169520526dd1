import type { KubeObject } from "@kindling/kube-objects";
import type { SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  EXECUTOR_POD_TEMPLATE_CONTAINER,
  EXECUTOR_POD_TEMPLATE_FILE,
  POD_TEMPLATE_ENTRY,
  POD_TEMPLATE_VOLUME,
  type PodTemplate,
} from "@kindling/steps";
import { parse } from "yaml";
import { objectsAt, textAt } from "../../json/fields.ts";
import { configMapEntries } from "../../cluster/config-map-entries.ts";

/**
 * The pod template that a driver mounts for its executors; undefined if it has none.
 *
 * @throws YAMLParseError if the template is not YAML, ApiError 503 if the cluster cannot be asked
 */
export async function executorTemplate(
  client: KubeClient,
  driver: KubeObject,
  conf: SparkConf,
): Promise<PodTemplate | undefined> {
  const path = conf.get(EXECUTOR_POD_TEMPLATE_FILE);
  if (path === undefined) return undefined;
  const volume = objectsAt(driver, "spec", "volumes").find(({ name }) => name === POD_TEMPLATE_VOLUME);
  const name = textAt(volume, "configMap", "name") ?? "";
  const entries = await configMapEntries(client, driver.metadata.namespace ?? "", name);
  const content: unknown = parse(entries[POD_TEMPLATE_ENTRY] ?? "");
  return { content, origin: path, containerName: conf.get(EXECUTOR_POD_TEMPLATE_CONTAINER) };
}
