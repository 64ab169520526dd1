import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { bareInt, boolean, checked, int, list, oneOf, text } = confType;

export const NAMESPACE: ConfKey<string> = confKey({
  key: "spark.kubernetes.namespace",
  type: text,
  default: "default",
  since: "2.3.0",
  readBy: ["submit", "driver", "executor"],
  doc: "The namespace of the driver, the executors and everything that belongs to them.",
});

export const CONTAINER_IMAGE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.container.image",
  type: text,
  since: "2.3.0",
  readBy: ["submit", "executor"],
  doc: "The image of driver and executors. From Spark 4.1 on, {{SPARK_VERSION}} in it becomes the Spark version.",
});

export const DRIVER_CONTAINER_IMAGE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.container.image",
  type: text,
  since: "2.3.0",
  readBy: ["submit"],
  doc: "The image of the driver; spark.kubernetes.container.image if unset.",
});

export const EXECUTOR_CONTAINER_IMAGE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.container.image",
  type: text,
  since: "2.3.0",
  readBy: ["executor"],
  doc: "The image of executors; spark.kubernetes.container.image if unset.",
});

export const IMAGE_PULL_POLICY: ConfKey<"Always" | "Never" | "IfNotPresent"> = confKey({
  key: "spark.kubernetes.container.image.pullPolicy",
  type: oneOf("Always", "Never", "IfNotPresent"),
  default: "IfNotPresent",
  since: "2.3.0",
  readBy: ["submit", "executor"],
  doc: "When the kubelet pulls the image.",
});

export const IMAGE_PULL_SECRETS: ConfKey<readonly string[]> = confKey({
  key: "spark.kubernetes.container.image.pullSecrets",
  type: list,
  default: "",
  since: "2.4.0",
  readBy: ["submit", "executor"],
  doc: "Secrets for pulling images from private registries.",
});

export const SCHEDULER_NAME: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.scheduler.name",
  type: text,
  since: "3.3.0",
  readBy: ["submit", "executor"],
  doc: "The scheduler that places driver and executor pods.",
});

export const DRIVER_SCHEDULER_NAME: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.scheduler.name",
  type: text,
  since: "3.3.0",
  readBy: ["submit"],
  doc: "The scheduler that places the driver pod; spark.kubernetes.scheduler.name if unset.",
});

export const EXECUTOR_SCHEDULER_NAME: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.scheduler.name",
  type: text,
  since: "3.0.0",
  readBy: ["executor"],
  doc: "The scheduler that places executor pods; spark.kubernetes.scheduler.name if unset.",
});

export const DRIVER_POD_NAME: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.pod.name",
  type: text,
  since: "2.3.0",
  readBy: ["submit", "driver"],
  doc: "The name of the driver pod. If unset, the application's name, a unique id and '-driver'.",
});

const portOf = (number: typeof int): typeof int =>
  checked(number, (port) => port >= 0 && port <= 65_535, "a port number from 0 to 65535");

export const DRIVER_PORT: ConfKey<number> = confKey({
  key: "spark.driver.port",
  type: portOf(bareInt),
  literal: true,
  default: "7078",
  readBy: ["submit", "executor"],
  doc: "The port on which the driver listens for executors. Outside Kubernetes its default is a random one.",
});

export const BLOCK_MANAGER_PORT: ConfKey<number> = confKey({
  key: "spark.blockManager.port",
  type: portOf(bareInt),
  literal: true,
  default: "7079",
  since: "1.1.0",
  readBy: ["submit", "executor"],
  doc: "The port of the block managers. Outside Kubernetes its default is a random one.",
});

export const DRIVER_BLOCK_MANAGER_PORT: ConfKey<number> = confKey({
  key: "spark.driver.blockManager.port",
  type: portOf(bareInt),
  literal: true,
  default: "7079",
  since: "2.1.0",
  readBy: ["submit"],
  doc: "The port of the driver's block manager. If unset, the driver's container port is that of spark.blockManager.port.",
});

export const UI_PORT: ConfKey<number> = confKey({
  key: "spark.ui.port",
  type: portOf(int),
  default: "4040",
  since: "0.7.0",
  readBy: ["submit"],
  doc: "The port of Spark's web UI.",
});

export const CONNECT_PORT: ConfKey<number> = confKey({
  key: "spark.connect.grpc.binding.port",
  type: portOf(bareInt),
  literal: true,
  default: "15002",
  since: "3.4.0",
  readBy: ["submit"],
  doc: "The port of a Spark Connect server. From Spark 4.1 on it is a port of the driver pod and Service.",
});

export const ALLOW_PRIVILEGE_ESCALATION: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.securityContext.allowPrivilegeEscalation",
  type: boolean,
  default: "false",
  since: "4.3.0",
  readBy: ["submit", "executor"],
  doc: "The field allowPrivilegeEscalation of the security contexts of driver and executor containers.",
});

export const DRIVER_ALLOW_PRIVILEGE_ESCALATION: ConfKey<boolean | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.securityContext.allowPrivilegeEscalation",
  type: boolean,
  since: "4.3.0",
  readBy: ["submit"],
  doc: "The same for the driver alone; spark.kubernetes.securityContext.allowPrivilegeEscalation if unset.",
});

export const EXECUTOR_ALLOW_PRIVILEGE_ESCALATION: ConfKey<boolean | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.securityContext.allowPrivilegeEscalation",
  type: boolean,
  since: "4.3.0",
  readBy: ["executor"],
  doc: "The same for executors alone; spark.kubernetes.securityContext.allowPrivilegeEscalation if unset.",
});
