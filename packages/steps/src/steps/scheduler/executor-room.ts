import type { KubernetesDriverSpec, Submission } from "@kindling/core-spec";
import { EXECUTOR_CORES } from "../../keys/resource-keys.ts";
import { executorResources } from "../basic/basic-executor.ts";
import { executorMemory } from "../basic/memory.ts";
import { executorTemplate, startedConf } from "./executor-template.ts";
import { podRequest } from "./pod-request.ts";

/**
 * What an executor pod of the default profile will request, by resource: as the driver will work it out from the
 * configuration that it starts with, containers of a template included.
 */
export function executorRoom(spec: KubernetesDriverSpec, submission: Submission): Record<string, string> {
  const conf = startedConf(spec, submission.sparkVersion);
  const { executorPod, executorContainer, origin } = executorTemplate(submission);
  const size = { conf, resourceProfile: { id: 0 } };
  const resources = executorResources(executorContainer, size, conf.get(EXECUTOR_CORES), executorMemory(size).total);
  const containers = [...(executorPod.spec?.containers ?? []), { ...executorContainer, resources }];
  return podRequest({ ...executorPod.spec, containers }, origin);
}
