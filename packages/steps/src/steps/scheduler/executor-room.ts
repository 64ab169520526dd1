import type { KubernetesDriverSpec, KubernetesExecutorSpec, PodSpec, Submission } from "@kindling/core-spec";
import { EXECUTOR_NODE_SELECTOR, NODE_SELECTOR } from "../../keys/prefixes.ts";
import { EXECUTOR_CORES } from "../../keys/resource-keys.ts";
import { executorResources } from "../basic/basic-executor.ts";
import { executorMemory } from "../basic/memory.ts";
import { executorTemplate, startedConf } from "./executor-template.ts";
import { podRequest } from "./pod-request.ts";

/**
 * The request of an executor pod of the default profile, by resource: as the driver will calculate it from the configuration
 * that it starts with, including containers of a template.
 *
 * @param withSteps what steps add to the executor
 */
export function executorRoom(
  spec: KubernetesDriverSpec,
  submission: Submission,
  withSteps: (spec: KubernetesExecutorSpec) => KubernetesExecutorSpec = (initial) => initial,
): Record<string, string> {
  const conf = startedConf(spec, submission.sparkVersion);
  const { origin, ...initial } = executorTemplate(submission);
  const size = { conf, resourceProfile: { id: 0 } };
  const { total } = executorMemory(size);
  const resources = executorResources(initial.executorContainer, size, conf.get(EXECUTOR_CORES), total);
  const executorContainer = { ...initial.executorContainer, resources };
  const executor = withSteps({ ...initial, executorContainer, executorKubernetesResources: [] });
  const containers = [...(executor.executorPod.spec?.containers ?? []), executor.executorContainer];
  return podRequest({ ...executor.executorPod.spec, containers }, origin);
}

/** The part of an executor pod's spec that says where it may run. */
export type ExecutorPlacement = Pick<PodSpec, "nodeSelector" | "affinity" | "tolerations">;

/** Where executors of the default profile may run, by their template and the keys for node selectors, without steps. */
export function executorPlacement(spec: KubernetesDriverSpec, submission: Submission): ExecutorPlacement {
  const conf = startedConf(spec, submission.sparkVersion);
  const { nodeSelector, affinity, tolerations } = executorTemplate(submission).executorPod.spec ?? {};
  const labels = { ...nodeSelector, ...conf.withPrefix(NODE_SELECTOR), ...conf.withPrefix(EXECUTOR_NODE_SELECTOR) };
  return {
    ...(Object.keys(labels).length > 0 && { nodeSelector: labels }),
    ...(affinity !== undefined && { affinity }),
    ...(tolerations !== undefined && { tolerations }),
  };
}
