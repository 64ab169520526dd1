import {
  javaDoubleToString,
  type Container,
  type KubernetesDriverSpec,
  type Pod,
  type SparkConf,
  type Submission,
} from "@kindling/core-spec";
import {
  ALLOW_PRIVILEGE_ESCALATION,
  BLOCK_MANAGER_PORT,
  CONNECT_PORT,
  DRIVER_ALLOW_PRIVILEGE_ESCALATION,
  DRIVER_BLOCK_MANAGER_PORT,
  DRIVER_CONTAINER_IMAGE,
  DRIVER_POD_NAME,
  DRIVER_PORT,
  DRIVER_SCHEDULER_NAME,
  IMAGE_PULL_POLICY,
  IMAGE_PULL_SECRETS,
  SCHEDULER_NAME,
  UI_PORT,
} from "../../keys/pod-keys.ts";
import {
  DRIVER_ANNOTATION,
  DRIVER_ENV,
  DRIVER_NODE_SELECTOR,
  DRIVER_RESOURCE,
  NODE_SELECTOR,
} from "../../keys/prefixes.ts";
import {
  DRIVER_CORES,
  DRIVER_LIMIT_CORES,
  DRIVER_REQUEST_CORES,
  MEMORY_OVERHEAD_FACTOR,
} from "../../keys/resource-keys.ts";
import { withSparkConf } from "../../spark-pod.ts";
import { customResourceLimits, customResources } from "./custom-resources.ts";
import { containerImage } from "./image.ts";
import { driverLabels } from "./labels.ts";
import { defaultOverheadFactor, driverMemory } from "./memory.ts";
import { substituteIdsIn } from "./placeholders.ts";
import { cpuQuantity } from "./quantity.ts";

/** The name that the driver pod has or will have. */
export function driverPodName(submission: Submission): string {
  return submission.conf.get(DRIVER_POD_NAME) ?? `${submission.resourceNamePrefix}-driver`;
}

/** The driver half: counterpart of `BasicDriverFeatureStep`, without its uploads. */
export function configureBasicDriver(spec: KubernetesDriverSpec, submission: Submission): KubernetesDriverSpec {
  return withSparkConf(
    {
      ...spec,
      driverPod: driverPod(spec.driverPod, submission),
      driverContainer: driverContainer(spec.driverContainer, submission),
    },
    {
      [DRIVER_POD_NAME.key]: driverPodName(submission),
      "spark.app.id": submission.appId,
      "spark.kubernetes.submitInDriver": "true",
      [MEMORY_OVERHEAD_FACTOR.key]: javaDoubleToString(defaultOverheadFactor(submission)),
    },
  );
}

function driverContainer(template: Container, submission: Submission): Container {
  const { conf } = submission;
  return {
    ...template,
    name: template.name || "spark-kubernetes-driver",
    image: containerImage(conf, DRIVER_CONTAINER_IMAGE, "driver"),
    imagePullPolicy: conf.get(IMAGE_PULL_POLICY),
    ports: [...(template.ports ?? []), ...driverPorts(submission)],
    env: [
      ...(template.env ?? []),
      {
        name: "SPARK_USER",
        value: (conf.version.has("proxy-user-in-pod") ? submission.proxyUser : undefined) ?? submission.user,
      },
      { name: "SPARK_APPLICATION_ID", value: submission.appId },
      ...Object.entries(conf.withPrefix(DRIVER_ENV)).map(([name, value]) => ({ name, value })),
      { name: "SPARK_DRIVER_BIND_ADDRESS", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } } },
    ],
    resources: driverResources(template, submission),
    ...(conf.version.has("no-privilege-escalation") && {
      securityContext: {
        ...template.securityContext,
        allowPrivilegeEscalation: conf.get(DRIVER_ALLOW_PRIVILEGE_ESCALATION) ?? conf.get(ALLOW_PRIVILEGE_ESCALATION),
      },
    }),
  };
}

/** The port of the driver's block manager. */
export function driverBlockManagerPort(conf: SparkConf): number {
  // Spark reads it even if the driver has a port of its own, and refuses a value that is no number.
  const executors = conf.get(BLOCK_MANAGER_PORT);
  return conf.has(DRIVER_BLOCK_MANAGER_PORT) ? conf.get(DRIVER_BLOCK_MANAGER_PORT) : executors;
}

function driverPorts({ conf }: Submission): NonNullable<Container["ports"]> {
  return [
    { name: "driver-rpc-port", containerPort: conf.get(DRIVER_PORT), protocol: "TCP" },
    { name: "blockmanager", containerPort: driverBlockManagerPort(conf), protocol: "TCP" },
    { name: "spark-ui", containerPort: conf.get(UI_PORT), protocol: "TCP" },
    ...(conf.version.has("connect-port")
      ? [{ name: "spark-connect", containerPort: conf.get(CONNECT_PORT), protocol: "TCP" }]
      : []),
  ];
}

function driverResources(template: Container, submission: Submission): NonNullable<Container["resources"]> {
  const { conf } = submission;
  const cores = conf.get(DRIVER_CORES);
  const request = conf.get(DRIVER_REQUEST_CORES);
  const limit = conf.get(DRIVER_LIMIT_CORES);
  if (request !== undefined) cpuQuantity(DRIVER_REQUEST_CORES, request);
  if (limit !== undefined) cpuQuantity(DRIVER_LIMIT_CORES, limit);
  const memory = `${driverMemory(submission)}Mi`;
  return {
    ...template.resources,
    requests: { ...template.resources?.requests, cpu: request ?? String(cores), memory },
    limits: {
      ...template.resources?.limits,
      ...(limit !== undefined && { cpu: limit }),
      memory,
      ...customResourceLimits(customResources(conf, DRIVER_RESOURCE), DRIVER_RESOURCE),
    },
  };
}

function driverPod(template: Pod, submission: Submission): Pod {
  const { conf, appId } = submission;
  const annotations = substituteIdsIn(conf.withPrefix(DRIVER_ANNOTATION), appId, "");
  const nodeSelector = { ...conf.withPrefix(NODE_SELECTOR), ...conf.withPrefix(DRIVER_NODE_SELECTOR) };
  const pullSecrets = conf.get(IMAGE_PULL_SECRETS);
  const schedulerName = conf.get(DRIVER_SCHEDULER_NAME) ?? conf.get(SCHEDULER_NAME);
  return {
    ...template,
    metadata: {
      ...template.metadata,
      name: driverPodName(submission),
      labels: { ...template.metadata?.labels, ...driverLabels(submission) },
      ...(Object.keys(annotations).length > 0 && {
        annotations: { ...template.metadata?.annotations, ...annotations },
      }),
    },
    spec: {
      ...template.spec,
      restartPolicy: "Never",
      ...(Object.keys(nodeSelector).length > 0 && {
        nodeSelector: { ...template.spec?.nodeSelector, ...nodeSelector },
      }),
      ...(pullSecrets.length > 0 && {
        imagePullSecrets: [...(template.spec?.imagePullSecrets ?? []), ...pullSecrets.map((name) => ({ name }))],
      }),
      ...(schedulerName !== undefined && { schedulerName }),
    },
  };
}
