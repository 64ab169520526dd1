import { confKey, confType, type ConfKey } from "@kindling/core-spec";

/** The keys for shuffle files that outlive their executor. */

const { boolean, bytes, checked, int, oneOf, text } = confType;

export const SHUFFLE: ConfKey<"native" | "keep"> = confKey({
  key: "spark.kindling.shuffle",
  type: oneOf("native", "keep"),
  default: "native",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "What happens to an executor's shuffle files when the executor ends. native: they are lost, and Spark computes them again. keep: a small second container of the executor's pod goes on serving them, and the executor's memory and cores are given back. Needs spark.kindling.scheduler=gateway and spark.kindling.localizer.image.",
});

export const SHUFFLE_MEMORY: ConfKey<number> = confKey({
  key: "spark.kindling.shuffle.memory",
  type: checked(bytes("m"), (mebibytes) => mebibytes >= 64, "at least 64m"),
  default: "96m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.shuffle=keep: the memory of the container that serves shuffle files.",
});

export const SHUFFLE_CORES: ConfKey<string> = confKey({
  key: "spark.kindling.shuffle.cores",
  type: text,
  default: "20m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.shuffle=keep: the CPU request of the container that serves shuffle files, as a Kubernetes quantity. It has no CPU limit.",
});

export const SHUFFLE_USER: ConfKey<string> = confKey({
  key: "spark.kindling.shuffle.runAsUser",
  type: checked(text, (user) => /^\d{1,10}$/.test(user) || user === "none", "the number of a user, or none"),
  default: "185",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.shuffle=keep: the user that serves shuffle files, if neither the executor's container nor its pod names a user. It must be the user of the executor's image, because only that user can read the files; 185 is the user of Spark's own images. none: it is not set, for clusters that choose the user of every container, such as OpenShift.",
});

export const SHUFFLE_SERVICE_PORT: ConfKey<number> = confKey({
  key: "spark.shuffle.service.port",
  type: int,
  default: "7337",
  since: "1.2.0",
  readBy: ["submit", "driver"],
  doc: "The port of an external shuffle service.",
});

export const SHUFFLE_SERVICE_FETCHES_RDDS: ConfKey<boolean> = confKey({
  key: "spark.shuffle.service.fetch.rdd.enabled",
  type: boolean,
  default: "false",
  since: "3.0.0",
  readBy: ["submit", "driver"],
  doc: "Whether executors fetch persisted blocks of RDDs from an external shuffle service, too.",
});

export const SHUFFLE_KEYS: readonly ConfKey<unknown>[] = [
  SHUFFLE,
  SHUFFLE_MEMORY,
  SHUFFLE_CORES,
  SHUFFLE_USER,
  SHUFFLE_SERVICE_PORT,
  SHUFFLE_SERVICE_FETCHES_RDDS,
];
