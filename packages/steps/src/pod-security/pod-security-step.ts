import type { SparkConf, Step } from "@kindling/core-spec";
import { onDriver, onExecutor, type SparkPod } from "../spark-pod.ts";
import {
  POD_SECURITY,
  POD_SECURITY_KEYS,
  POD_SECURITY_READ_ONLY_ROOT,
  POD_SECURITY_USER,
} from "./pod-security-keys.ts";
import { restrictedPod } from "./restricted-pod.ts";

/**
 * Makes driver and executors admissible in namespaces that enforce the level `restricted` of Kubernetes' Pod Security
 * Standards. It must run after all steps that add containers.
 */
export const podSecurity: Step = {
  name: "pod-security",
  keys: POD_SECURITY_KEYS,
  configureDriver: (spec, { conf }) => onDriver(spec, (sparkPod) => secured(sparkPod, conf)),
  configureExecutor: (spec, { conf }) => onExecutor(spec, (sparkPod) => secured(sparkPod, conf)),
};

/** Whether the step has anything to do. */
export function restrictsPods(conf: SparkConf): boolean {
  return conf.get(POD_SECURITY) === "restricted";
}

function secured(sparkPod: SparkPod, conf: SparkConf): SparkPod {
  if (!restrictsPods(conf)) return sparkPod;
  return restrictedPod(sparkPod, {
    runAsUser: conf.get(POD_SECURITY_USER),
    readOnlyRootFilesystem: conf.get(POD_SECURITY_READ_ONLY_ROOT),
  });
}
