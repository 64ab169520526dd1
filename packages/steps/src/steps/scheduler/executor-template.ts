import {
  type Container,
  type KubernetesDriverSpec,
  type Pod,
  type SparkConf,
  sparkConf,
  type Submission,
} from "@kindling/core-spec";
import { initialExecutorSpec } from "../../objects/pod-template.ts";
import { EXECUTOR_POD_TEMPLATE_CONTAINER, EXECUTOR_POD_TEMPLATE_FILE } from "../pod-template-config-map.ts";

/** The start for executors, before any step adds to them. */
export interface ExecutorTemplate {
  readonly executorPod: Pod;
  readonly executorContainer: Container;
  /** Where it is from, for errors. */
  readonly origin: string;
}

/** The template for the driver's executors; an empty pod if there is none. */
export function executorTemplate({ conf, files }: Submission): ExecutorTemplate {
  const path = conf.get(EXECUTOR_POD_TEMPLATE_FILE);
  const origin = `${EXECUTOR_POD_TEMPLATE_FILE.key}: ${path ?? ""}`;
  const template =
    path === undefined
      ? undefined
      : {
          content: files.readYaml(path, origin, "Pod"),
          origin,
          containerName: conf.get(EXECUTOR_POD_TEMPLATE_CONTAINER),
        };
  // The step that passes the template to the driver has given the notices already.
  const { executorPod, executorContainer } = initialExecutorSpec(template, () => {});
  return { executorPod, executorContainer, origin };
}

/** The configuration that the driver will start with. */
export function startedConf(
  { driverSparkConf, driverContainer }: KubernetesDriverSpec,
  sparkVersion: string,
): SparkConf {
  const env = new Map((driverContainer.env ?? []).map(({ name, value }) => [name, value]));
  return sparkConf(driverSparkConf, { sparkVersion, env: (name) => env.get(name) });
}
