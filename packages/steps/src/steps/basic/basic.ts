import type { Step } from "@kindling/core-spec";
import * as podKeys from "../../keys/pod-keys.ts";
import * as prefixes from "../../keys/prefixes.ts";
import * as resourceKeys from "../../keys/resource-keys.ts";
import { configureBasicDriver } from "./basic-driver.ts";
import { configureBasicExecutor, PODS_ALLOCATOR, TERMINATION_GRACE_PERIOD } from "./basic-executor.ts";
import {
  AUTHENTICATE_SECRET_FILE_EXECUTOR,
  CUSTOM_EXECUTOR_LOG_URL,
  EXECUTOR_CLASS_PATH,
  EXECUTOR_LIBRARY_PATH,
  RECOVERY_MODE,
  USE_DRIVER_POD_IP,
} from "./executor-env.ts";
import { EXECUTOR_DEFAULT_JAVA_OPTIONS, EXECUTOR_JAVA_OPTIONS } from "./executor-java-options.ts";

/**
 * What every driver and executor has: name, labels, image, ports, environment, memory and CPU. Counterpart of
 * `BasicDriverFeatureStep` and `BasicExecutorFeatureStep`.
 */
export const basic: Step = {
  name: "basic",
  configureDriver: configureBasicDriver,
  configureExecutor: configureBasicExecutor,
  keys: [
    ...Object.values(podKeys),
    ...Object.values(resourceKeys),
    prefixes.DRIVER_LABEL,
    prefixes.DRIVER_ANNOTATION,
    prefixes.DRIVER_ENV,
    prefixes.DRIVER_RESOURCE,
    prefixes.NODE_SELECTOR,
    prefixes.DRIVER_NODE_SELECTOR,
    prefixes.EXECUTOR_NODE_SELECTOR,
    prefixes.EXECUTOR_LABEL,
    prefixes.EXECUTOR_ANNOTATION,
    prefixes.EXECUTOR_ENV,
    prefixes.EXECUTOR_RESOURCE,
    AUTHENTICATE_SECRET_FILE_EXECUTOR,
    CUSTOM_EXECUTOR_LOG_URL,
    EXECUTOR_CLASS_PATH,
    EXECUTOR_LIBRARY_PATH,
    EXECUTOR_DEFAULT_JAVA_OPTIONS,
    EXECUTOR_JAVA_OPTIONS,
    PODS_ALLOCATOR,
    RECOVERY_MODE,
    TERMINATION_GRACE_PERIOD,
    USE_DRIVER_POD_IP,
  ],
  // Spark's configuration wins over a pod template.
  overrides: [
    "driverContainer.image",
    "driverContainer.imagePullPolicy",
    "driverContainer.resources",
    "driverContainer.securityContext.allowPrivilegeEscalation",
    "driverPod.metadata.name",
    "driverPod.metadata.labels",
    "driverPod.metadata.annotations",
    "driverPod.spec.restartPolicy",
    "driverPod.spec.nodeSelector",
    "driverPod.spec.schedulerName",
    "driverSparkConf[spark.kubernetes.driver.pod.name]",
    "driverSparkConf[spark.app.id]",
    "driverSparkConf[spark.kubernetes.submitInDriver]",
    "driverSparkConf[spark.kubernetes.memoryOverheadFactor]",
    "executorContainer.image",
    "executorContainer.imagePullPolicy",
    "executorContainer.resources",
    "executorContainer.securityContext.allowPrivilegeEscalation",
    "executorPod.metadata.name",
    "executorPod.metadata.labels",
    "executorPod.metadata.annotations",
    "executorPod.spec.hostname",
    "executorPod.spec.restartPolicy",
    "executorPod.spec.terminationGracePeriodSeconds",
    "executorPod.spec.nodeSelector",
    "executorPod.spec.schedulerName",
  ],
};
