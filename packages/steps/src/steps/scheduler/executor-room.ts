import { sparkConf, type KubernetesDriverSpec, type Submission } from "@kindling/core-spec";
import { EXECUTOR_CORES } from "../../keys/resource-keys.ts";
import { initialExecutorSpec } from "../../objects/pod-template.ts";
import { executorResources } from "../basic/basic-executor.ts";
import { executorMemory } from "../basic/memory.ts";
import { EXECUTOR_POD_TEMPLATE_CONTAINER, EXECUTOR_POD_TEMPLATE_FILE } from "../pod-template-config-map.ts";
import { podRequest } from "./pod-request.ts";

/**
 * What an executor pod of the default profile will request, by resource: as the driver will work it out from the
 * configuration that it starts with, containers of a template included.
 */
export function executorRoom(
  { driverSparkConf, driverContainer }: KubernetesDriverSpec,
  submission: Submission,
): Record<string, string> {
  const { conf: submitted, files, sparkVersion } = submission;
  const driverEnv = new Map((driverContainer.env ?? []).map(({ name, value }) => [name, value]));
  const conf = sparkConf(driverSparkConf, { sparkVersion, env: (name) => driverEnv.get(name) });

  const path = submitted.get(EXECUTOR_POD_TEMPLATE_FILE);
  const origin = `${EXECUTOR_POD_TEMPLATE_FILE.key}: ${path ?? ""}`;
  const template =
    path === undefined
      ? undefined
      : {
          content: files.readYaml(path, origin),
          origin,
          containerName: submitted.get(EXECUTOR_POD_TEMPLATE_CONTAINER),
        };
  // Whoever hands the template to the driver has said by now what there is to say about it.
  const { executorPod, executorContainer } = initialExecutorSpec(template, () => {});
  const size = { conf, resourceProfile: { id: 0 } };
  const resources = executorResources(executorContainer, size, conf.get(EXECUTOR_CORES), executorMemory(size).total);
  const containers = [...(executorPod.spec?.containers ?? []), { ...executorContainer, resources }];
  return podRequest({ ...executorPod.spec, containers }, origin);
}
