import { confType } from "@kindling/core-spec";
import { seconds, text } from "@kindling/settings";
import type { KeysOf } from "../keys-of.ts";

const { list, oneOf } = confType;

/** How long things stay, and the cluster that tells of their owners. */
export const LIFECYCLE_KEYS: KeysOf<"lease" | "upload" | "lifecycle" | "cluster" | "shutdown" | "log"> = {
  "lease.ttl": { type: seconds, default: "15min", doc: "How long a submitter's session outlives its last request." },
  "lease.maxTtl": { type: seconds, default: "24h", doc: "Longest such time that a client may ask for." },

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
  "lifecycle.maxUnusedTtl": { type: seconds, default: "24h", doc: "Longest such time that a client may ask for." },
  "lifecycle.orphanGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a bundle outlives its owner, for executors that still download.",
  },
  "lifecycle.maxAge": {
    type: seconds,
    default: "7d",
    doc: "How long a bundle is kept whose owner is not watched.",
  },
  "lifecycle.interval": { type: seconds, default: "30s", doc: "Time between two looks at all bundles." },
  "lifecycle.confirmAfter": {
    type: confType.checked(seconds, (value) => value >= 2, "a duration of at least 2s"),
    default: "10s",
    doc:
      "How far apart the cluster must have said twice that a bundle's owner does not run before the bundle is deleted; " +
      "at least 2s.",
  },
  "lifecycle.blobGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a file stays after nothing refers to it any more.",
  },
  "lifecycle.owners": {
    type: oneOf("kubernetes", "none"),
    default: "kubernetes",
    doc: "Whether owners are watched in the cluster. Without, `lifecycle.maxAge` decides.",
  },
  "lifecycle.ownerResources": {
    type: list,
    default: "",
    doc:
      "Custom resources that may own bundles, as `Type=group/version/plural`, and behind another `=` the states in " +
      "which one has ended, as `path:VALUE|VALUE`: " +
      "`SparkApplication=sparkoperator.k8s.io/v1beta2/sparkapplications=status.applicationState.state:COMPLETED|FAILED`.",
  },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig to reach the API server with; unset: the pod's service account.",
  },
  "cluster.leaseNamespace": {
    type: text,
    default: undefined,
    doc: "Namespace of the Lease by which servers that share a store elect the one that deletes; unset: the pod's.",
  },
  "cluster.leaseName": { type: text, default: "kindling-staging-cleaner", doc: "Name of that Lease." },

  "shutdown.grace": {
    type: seconds,
    default: "25s",
    doc: "How long transfers may go on after SIGTERM; keep it below the pod's terminationGracePeriodSeconds.",
  },

  "log.level": {
    type: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "How much is logged, as JSON lines.",
  },
};
