import { count, type Settings, sizeBytes } from "@kindling/service/settings";

/** How many and how large objects drivers may create. Sizes are in bytes. */
export interface ObjectLimits {
  readonly "objects.size": number;
  readonly "objects.configMapSize": number;
  readonly "objects.values": number;
  readonly "objects.claimsPerApplication": number;
  readonly "objects.configMapsPerApplication": number;
  readonly "objects.setsPerApplication": number;
  readonly "objects.storedPerApplication": number;
  readonly "objects.stored": number;
  readonly "memory.kept": number | undefined;
  readonly "memory.keptPerApplication": number | undefined;
  readonly "memory.bodies": number | undefined;
}

export const OBJECT_LIMIT_KEYS: Settings<ObjectLimits> = {
  "objects.size": {
    type: sizeBytes,
    default: "256k",
    doc: "The largest body that a driver may send: an executor, a claim, a set or a patch, as JSON. Spark's executors have some 10 KiB.",
  },
  "objects.configMapSize": {
    type: sizeBytes,
    default: "1536k",
    doc: "The largest ConfigMap that a driver may send, as JSON. Kubernetes takes 1 MiB of data, which is more as JSON.",
  },
  "objects.values": {
    type: count,
    default: "20000",
    doc:
      "How many values (objects, lists, texts, numbers) a body may have. Each takes memory, however few characters it has. " +
      "Spark's executors have some hundreds.",
  },
  "objects.claimsPerApplication": {
    type: count,
    default: "40000",
    doc: "How many persistent volume claims an application may have. More are refused until some are gone.",
  },
  "objects.configMapsPerApplication": {
    type: count,
    default: "32",
    doc: "How many ConfigMaps a driver may have made. Spark's makes one. More are refused until some are gone.",
  },
  "objects.setsPerApplication": {
    type: count,
    default: "64",
    doc: "How many StatefulSets and Deployments a driver may have made. Spark's makes one for each resource profile.",
  },
  "objects.storedPerApplication": {
    type: sizeBytes,
    default: "16m",
    doc: "How large the ConfigMaps and sets that a driver has made may be together.",
  },
  "objects.stored": {
    type: sizeBytes,
    default: "512m",
    doc: "The same for all drivers. They are in the memory of the cluster's etcd, which has 2 GiB by default.",
  },

  "memory.kept": {
    type: sizeBytes,
    default: undefined,
    doc:
      "Memory for the executors and claims of all applications. An executor of 10 KiB takes some 37 KiB. Unset: five " +
      "eighths of what its JavaScript heap may have, or three fifths of its container if that is less, beyond 32 MiB. " +
      "One application alone gets two thirds; each has a first part that others cannot take.",
  },
  "memory.keptPerApplication": {
    type: sizeBytes,
    default: undefined,
    doc: "The most that one application may have of it. Unset: its share.",
  },
  "memory.bodies": {
    type: sizeBytes,
    default: undefined,
    doc:
      "Memory for requests that are being read. Requests without memory wait some seconds. Unset: a sixteenth of " +
      "what the process may have; 16 MiB at the least.",
  },
};
