import { confType } from "@kindling/core-spec";
import { seconds, text, type Settings } from "@kindling/service/settings";

const { list, oneOf } = confType;

/** How long data is kept, and the cluster that knows the owners. */
export interface LifecycleConfig {
  readonly "lease.ttl": number;
  readonly "lease.maxTtl": number;

  readonly "upload.ttl": number;

  readonly "lifecycle.unusedTtl": number;
  readonly "lifecycle.maxUnusedTtl": number;
  readonly "lifecycle.orphanGrace": number;
  readonly "lifecycle.maxAge": number;
  readonly "lifecycle.interval": number;
  readonly "lifecycle.confirmAfter": number;
  readonly "lifecycle.blobGrace": number;
  readonly "lifecycle.owners": "kubernetes" | "none";
  readonly "lifecycle.ownerResources": readonly string[];

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.leaseNamespace": string | undefined;
  readonly "cluster.leaseName": string;

  readonly "shutdown.grace": number;

  readonly "log.level": "debug" | "info" | "warn" | "error";
}

export const LIFECYCLE_KEYS: Settings<LifecycleConfig> = {
  "lease.ttl": { type: seconds, default: "15min", doc: "How long a submitter's session lasts after its last request." },
  "lease.maxTtl": { type: seconds, default: "24h", doc: "The longest time of this kind that a client may ask for." },

  "upload.ttl": {
    type: seconds,
    default: "6h",
    doc: "How long an interrupted upload can be resumed; 15min at most while the disk has less than `store.minFree`.",
  },

  "lifecycle.unusedTtl": {
    type: seconds,
    default: "30min",
    doc: "How long a bundle waits for its first download or for its owner to appear.",
    alternatives: ["spark.kubernetes.resourceStagingServer.initialAccessExpirationTimeout"],
  },
  "lifecycle.maxUnusedTtl": {
    type: seconds,
    default: "24h",
    doc: "The longest time of this kind that a client may ask for.",
  },
  "lifecycle.orphanGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a bundle is kept after its owner has ended, for executors that still download.",
  },
  "lifecycle.maxAge": {
    type: seconds,
    default: "7d",
    doc: "How long a bundle is kept if its owner is not watched.",
  },
  "lifecycle.interval": { type: seconds, default: "30s", doc: "Time between two checks of all bundles." },
  "lifecycle.confirmAfter": {
    type: confType.checked(seconds, (value) => value >= 2, "a duration of at least 2s"),
    default: "10s",
    doc:
      "Before a bundle is deleted, the cluster must say twice that its owner does not run. This is the time between " +
      "the two answers; at least 2s.",
  },
  "lifecycle.blobGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a file is kept after no bundle needs it any more.",
  },
  "lifecycle.owners": {
    type: oneOf("kubernetes", "none"),
    default: "kubernetes",
    doc: "Whether owners are watched in the cluster. If not, `lifecycle.maxAge` decides how long bundles are kept.",
  },
  "lifecycle.ownerResources": {
    type: list,
    default: "",
    doc:
      "Custom resources that may own bundles, as `Type=group/version/plural`. After another `=` come the states in " +
      "which one has ended, as `path:VALUE|VALUE`. Example: " +
      "`SparkApplication=sparkoperator.k8s.io/v1beta2/sparkapplications=status.applicationState.state:COMPLETED|FAILED`.",
  },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig for the API server; unset: the pod's service account.",
  },
  "cluster.leaseNamespace": {
    type: text,
    default: undefined,
    doc:
      "Namespace of the Lease. With it, servers that share a store elect the one that deletes. Unset: the pod's " +
      "namespace.",
  },
  "cluster.leaseName": { type: text, default: "kindling-staging-cleaner", doc: "Name of that Lease." },

  "shutdown.grace": {
    type: seconds,
    default: "25s",
    doc: "How long transfers may go on after SIGTERM. Set it lower than the pod's terminationGracePeriodSeconds.",
  },

  "log.level": {
    type: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "How much is logged, as JSON lines.",
  },
};
