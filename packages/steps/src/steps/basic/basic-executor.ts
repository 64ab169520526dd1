import {
  compareQuantities,
  confKey,
  confType,
  DNS_LABEL_MAX_LENGTH,
  KindlingError,
  type ConfKey,
  type Container,
  type ExecutorRequest,
  type KubernetesExecutorSpec,
  type Pod,
} from "@kindling/core-spec";
import {
  ALLOW_PRIVILEGE_ESCALATION,
  BLOCK_MANAGER_PORT,
  EXECUTOR_ALLOW_PRIVILEGE_ESCALATION,
  EXECUTOR_CONTAINER_IMAGE,
  EXECUTOR_SCHEDULER_NAME,
  IMAGE_PULL_POLICY,
  IMAGE_PULL_SECRETS,
  SCHEDULER_NAME,
} from "../../keys/pod-keys.ts";
import { EXECUTOR_ANNOTATION, EXECUTOR_NODE_SELECTOR, EXECUTOR_RESOURCE, NODE_SELECTOR } from "../../keys/prefixes.ts";
import { EXECUTOR_CORES, EXECUTOR_LIMIT_CORES, EXECUTOR_REQUEST_CORES } from "../../keys/resource-keys.ts";
import { customResourceLimits, customResources } from "./custom-resources.ts";
import { executorEnv } from "./executor-env.ts";
import { containerImage } from "./image.ts";
import { executorLabels } from "./labels.ts";
import { executorMemory, type ExecutorSize } from "./memory.ts";
import { substituteIdsIn } from "./placeholders.ts";
import { cpuQuantity } from "./quantity.ts";

export const PODS_ALLOCATOR: ConfKey<string> = confKey({
  key: "spark.kubernetes.allocation.pods.allocator",
  type: confType.text,
  default: "direct",
  since: "3.3.0",
  readBy: ["driver", "executor"],
  doc: "How executors are made: direct (pods), statefulset, deployment (from Spark 4.2 on), or the name of your own class.",
});

export const TERMINATION_GRACE_PERIOD: ConfKey<number> = confKey({
  key: "spark.kubernetes.executor.terminationGracePeriodSeconds",
  type: confType.checked(confType.time("s"), (seconds) => seconds >= 0, "a duration that is not negative"),
  default: "30s",
  since: "4.1.0",
  readBy: ["executor"],
  doc: "How long an executor pod may take to end when it is deleted.",
});

/** The executor half: counterpart of `BasicExecutorFeatureStep`, without configuration files and decommissioning. */
export function configureBasicExecutor(
  spec: KubernetesExecutorSpec,
  executor: ExecutorRequest,
): KubernetesExecutorSpec {
  return {
    ...spec,
    executorPod: executorPod(spec.executorPod, executor),
    executorContainer: executorContainer(spec.executorContainer, executor),
  };
}

function executorContainer(template: Container, executor: ExecutorRequest): Container {
  const { conf } = executor;
  const cores = executor.resourceProfile.cores ?? conf.get(EXECUTOR_CORES);
  const memory = executorMemory(executor);
  const port = blockManagerPort(executor);
  return {
    ...template,
    name: template.name || "spark-kubernetes-executor",
    image: containerImage(conf, EXECUTOR_CONTAINER_IMAGE, "executor"),
    imagePullPolicy: conf.get(IMAGE_PULL_POLICY),
    resources: executorResources(template, executor, cores, memory.total),
    ...(conf.version.has("resize-policy") && {
      resizePolicy: [
        ...(template.resizePolicy ?? []),
        { resourceName: "cpu", restartPolicy: "NotRequired" },
        { resourceName: "memory", restartPolicy: "NotRequired" },
      ],
    }),
    env: [...(template.env ?? []), ...executorEnv(executor, cores, memory.heap)],
    // A container port of 0 is invalid, so a random port is not listed.
    ports: [...(template.ports ?? []), ...(port === 0 ? [] : [{ name: "blockmanager", containerPort: port }])],
    args: [...(template.args ?? []), "executor"],
    ...(conf.version.has("no-privilege-escalation") && {
      securityContext: {
        ...template.securityContext,
        allowPrivilegeEscalation: conf.get(EXECUTOR_ALLOW_PRIVILEGE_ESCALATION) ?? conf.get(ALLOW_PRIVILEGE_ESCALATION),
      },
    }),
  };
}

function blockManagerPort({ conf }: ExecutorRequest): number {
  const port = conf.get(BLOCK_MANAGER_PORT);
  if (port !== 0 && port < 1024) {
    throw new KindlingError("CONF_INVALID", `${BLOCK_MANAGER_PORT.key}: port number must be 0 or in [1024, 65535]`);
  }
  return port;
}

/** The requests and limits of an executor's container. */
export function executorResources(
  template: Container,
  { conf, resourceProfile }: ExecutorSize,
  cores: number,
  memoryMiB: number,
): NonNullable<Container["resources"]> {
  const isDefault = resourceProfile.id === 0;
  // Keys and templates describe the default profile; another profile has its own resources.
  const inherited = isDefault ? template.resources : undefined;
  const request = isDefault ? conf.get(EXECUTOR_REQUEST_CORES) : undefined;
  const limit = isDefault ? conf.get(EXECUTOR_LIMIT_CORES) : undefined;
  const requested = cpuQuantity(EXECUTOR_REQUEST_CORES, request ?? String(cores));
  if (limit !== undefined) {
    const limited = cpuQuantity(EXECUTOR_LIMIT_CORES, limit);
    if (conf.version.has("executor-limit-checked") && compareQuantities(limited, requested) < 0) {
      throw new KindlingError(
        "CONF_INVALID",
        `${EXECUTOR_LIMIT_CORES.key}: the executor CPU request (${request ?? cores}) must not exceed the limit (${limit})`,
      );
    }
  }
  const memory = `${memoryMiB}Mi`;
  const custom = isDefault ? customResources(conf, EXECUTOR_RESOURCE) : (resourceProfile.customResources ?? []);
  return {
    ...inherited,
    requests: { ...inherited?.requests, memory, cpu: request ?? String(cores) },
    limits: {
      ...inherited?.limits,
      memory,
      ...customResourceLimits(custom, EXECUTOR_RESOURCE),
      ...(limit !== undefined && { cpu: limit }),
    },
  };
}

function executorPod(template: Pod, executor: ExecutorRequest): Pod {
  const { conf, appId, executorId, driverPod } = executor;
  const name = `${executor.resourceNamePrefix}-exec-${executorId}`;
  const annotations = substituteIdsIn(conf.withPrefix(EXECUTOR_ANNOTATION), appId, executorId);
  const nodeSelector = { ...conf.withPrefix(NODE_SELECTOR), ...conf.withPrefix(EXECUTOR_NODE_SELECTOR) };
  const pullSecrets = conf.get(IMAGE_PULL_SECRETS);
  const schedulerName = conf.get(EXECUTOR_SCHEDULER_NAME) ?? conf.get(SCHEDULER_NAME);
  const owner = driverPod && {
    controller: true,
    apiVersion: "v1",
    kind: "Pod",
    name: driverPod.name,
    uid: driverPod.uid,
  };
  return {
    ...template,
    metadata: {
      ...template.metadata,
      name,
      labels: { ...template.metadata?.labels, ...executorLabels(executor) },
      ...(Object.keys(annotations).length > 0 && {
        annotations: { ...template.metadata?.annotations, ...annotations },
      }),
      ...(owner && { ownerReferences: [...(template.metadata?.ownerReferences ?? []), owner] }),
    },
    spec: {
      ...template.spec,
      hostname: hostname(name, executor),
      restartPolicy: isRestarted(executor) ? "Always" : "Never",
      ...(conf.version.has("executor-grace-period") && {
        terminationGracePeriodSeconds: conf.get(TERMINATION_GRACE_PERIOD),
      }),
      ...(Object.keys(nodeSelector).length > 0 && {
        nodeSelector: { ...template.spec?.nodeSelector, ...nodeSelector },
      }),
      ...(pullSecrets.length > 0 && {
        imagePullSecrets: [
          ...(template.spec?.imagePullSecrets ?? []),
          ...pullSecrets.map((secret) => ({ name: secret })),
        ],
      }),
      ...(schedulerName !== undefined && { schedulerName }),
    },
  };
}

/** StatefulSets and Deployments require that their pods are restarted. */
function isRestarted({ conf }: ExecutorRequest): boolean {
  const allocator = conf.get(PODS_ALLOCATOR);
  return allocator === "statefulset" || (allocator === "deployment" && conf.version.has("deployment-allocator"));
}

/** The end of the pod's name, which contains the executor's id, shortened and changed to a valid DNS label. */
function hostname(podName: string, { conf }: ExecutorRequest): string {
  const name = podName
    .slice(-DNS_LABEL_MAX_LENGTH)
    .replace(/^[^\w]+/, "")
    .replace(/[^\w-]+/g, "_");
  const lower = conf.version.has("deployment-allocator") && conf.get(PODS_ALLOCATOR) === "deployment";
  return lower ? name.toLowerCase() : name;
}
