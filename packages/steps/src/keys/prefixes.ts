import { confPrefix, type ConfPrefix } from "@kindling/core-spec";

// Families of keys come in pairs, one for drivers and one for executors.

export const DRIVER_LABEL: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.label.",
  placeholder: "<label>",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "A label of the driver pod. It is also part of the driver Service's selector. From Spark 4.0 on, {{APP_ID}} in the value becomes the application id.",
});

export const DRIVER_ANNOTATION: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.annotation.",
  placeholder: "<annotation>",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "An annotation of the driver pod. {{APP_ID}} in the value becomes the application id.",
});

export const DRIVER_ENV: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driverEnv.",
  placeholder: "<NAME>",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "An environment variable of the driver container.",
});

export const NODE_SELECTOR: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.node.selector.",
  placeholder: "<label>",
  since: "2.3.0",
  readBy: ["submit", "executor"],
  doc: "A node label that the nodes of driver and executors must have.",
});

export const DRIVER_NODE_SELECTOR: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.node.selector.",
  placeholder: "<label>",
  since: "3.3.0",
  readBy: ["submit"],
  doc: "A node label that the driver's node must have, besides those of spark.kubernetes.node.selector.",
});

export const EXECUTOR_NODE_SELECTOR: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.node.selector.",
  placeholder: "<label>",
  since: "3.3.0",
  readBy: ["executor"],
  doc: "A node label that executors' nodes must have, besides those of spark.kubernetes.node.selector.",
});

export const EXECUTOR_LABEL: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.label.",
  placeholder: "<label>",
  since: "2.3.0",
  readBy: ["executor"],
  doc: "A label of executor pods. From Spark 4.0 on, {{APP_ID}} and {{EXECUTOR_ID}} in the value are replaced.",
});

export const EXECUTOR_ANNOTATION: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.annotation.",
  placeholder: "<annotation>",
  since: "2.3.0",
  readBy: ["executor"],
  doc: "An annotation of executor pods. {{APP_ID}} and {{EXECUTOR_ID}} in the value are replaced.",
});

export const EXECUTOR_ENV: ConfPrefix = confPrefix({
  prefix: "spark.executorEnv.",
  placeholder: "<NAME>",
  since: "0.9.0",
  readBy: ["executor"],
  doc: "An environment variable of executor containers. Names other than letters, digits, '-', '_' and '.' are left out.",
});

export const SERVICE_LABEL: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.service.label.",
  placeholder: "<label>",
  since: "3.4.0",
  readBy: ["submit"],
  doc: "A label of the driver Service.",
});

export const SERVICE_ANNOTATION: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.service.annotation.",
  placeholder: "<annotation>",
  since: "3.0.0",
  readBy: ["submit"],
  doc: "An annotation of the driver Service.",
});

export const DRIVER_SECRETS: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.secrets.",
  placeholder: "<secret>",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "Mounts a Secret of the namespace into the driver container. The value is the path.",
});

export const EXECUTOR_SECRETS: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.secrets.",
  placeholder: "<secret>",
  since: "2.3.0",
  readBy: ["executor"],
  doc: "Mounts a Secret of the namespace into executor containers. The value is the path.",
});

export const DRIVER_SECRET_KEY_REF: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.secretKeyRef.",
  placeholder: "<NAME>",
  since: "2.4.0",
  readBy: ["submit"],
  doc: "An environment variable of the driver container that takes its value from a Secret, given as secret:key.",
});

export const EXECUTOR_SECRET_KEY_REF: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.secretKeyRef.",
  placeholder: "<NAME>",
  since: "2.4.0",
  readBy: ["executor"],
  doc: "An environment variable of executor containers that takes its value from a Secret, given as secret:key.",
});

export const DRIVER_VOLUMES: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.driver.volumes.",
  placeholder: "<type>.<name>.<option>",
  since: "2.4.0",
  readBy: ["submit"],
  doc: "A volume of the driver pod. Types: hostPath, persistentVolumeClaim, emptyDir, nfs. Options: mount.path, mount.subPath, mount.subPathExpr, mount.readOnly, options.*, label.*, annotation.*.",
});

export const EXECUTOR_VOLUMES: ConfPrefix = confPrefix({
  prefix: "spark.kubernetes.executor.volumes.",
  placeholder: "<type>.<name>.<option>",
  since: "2.4.0",
  readBy: ["submit", "executor"],
  doc: "A volume of executor pods, as for spark.kubernetes.driver.volumes. The submission checks it too.",
});

export const DRIVER_RESOURCE: ConfPrefix = confPrefix({
  prefix: "spark.driver.resource.",
  placeholder: "<resource>.<option>",
  since: "3.0.0",
  readBy: ["submit"],
  doc: "A resource of the driver such as a GPU: amount and vendor become the limit <vendor>/<resource>, discoveryScript tells the driver how to find its addresses.",
});

export const EXECUTOR_RESOURCE: ConfPrefix = confPrefix({
  prefix: "spark.executor.resource.",
  placeholder: "<resource>.<option>",
  since: "3.0.0",
  readBy: ["executor"],
  doc: "A resource of each executor such as a GPU: amount and vendor become the limit <vendor>/<resource>.",
});
