import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const GRACE_PERIOD: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kubernetes.appKillPodDeletionGracePeriod",
  type: confType.time("s"),
  since: "3.0.0",
  readBy: ["kill"],
  doc: "How long a driver pod may take to end when its application is killed; the pod's own grace period if unset.",
});
