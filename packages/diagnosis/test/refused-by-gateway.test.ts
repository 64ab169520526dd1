import { describe, expect, test } from "vitest";
import { diagnose } from "../src/index.ts";
import { container, ended, evidence, NOW, pod } from "./fixtures/pods.ts";

const LABELS = { "spark-role": "driver", "scheduler.kindling/gateway": "true" };
const CLIENT = "io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at:";

/** The wording of a 403 in Spark 3.5's client, and in that of 4.x. */
const WORDINGS: readonly (readonly [string, (said: string) => string])[] = [
  [
    "3.5",
    (said) =>
      `${CLIENT} https://gateway:8443/api/v1/namespaces/spark/pods. Message: Forbidden!Configured service account doesn't ` +
      `have access. Service account may have been revoked. ${said}.`,
  ],
  [
    "4.x",
    (said) =>
      `${CLIENT} https://gateway:8443/api/v1/namespaces/spark/pods. Message: ${said}. Received status: Status(apiVersion=v1, code=403)`,
  ],
];

const REFUSALS: readonly (readonly [string, RegExp])[] = [
  [
    `pods "etl-exec-1" is forbidden: it has hostNetwork, and the driver's pod has not: give that to the driver's pod as well`,
    /leave it out of what executors are given/,
  ],
  [
    `pods "etl-exec-9" is forbidden: at most 8 executor pods are allowed for one application`,
    /spark\.dynamicAllocation\.maxExecutors.*executors\.perApplication/,
  ],
  [
    `configmaps is forbidden: User "system:serviceaccount:kindling:gateway" cannot create resource "configmaps" in API group "" in the namespace "spark"`,
    /gateway's own account/,
  ],
  [
    `pods "etl-exec-1" is forbidden: its image evil is not among those that the gateway allows (executors.images)`,
    /spark\.kubernetes\.executor\.container\.image/,
  ],
  ["Forbidden: the gateway does not serve namespace spark", /cluster\.namespaces/],
  [
    `Forbidden: "system:serviceaccount:spark:spark" cannot get resource "nodes" in API group "" at the cluster scope: the gateway offers a driver the objects of its own application`,
    /^$/,
  ],
];

describe.each(WORDINGS)("in the words of Spark %s's client", (_version, wording) => {
  test.each(REFUSALS)("a driver of the gateway is told what the gateway refused: %s", (said, advice) => {
    const log = ["26/01/01 00:00:00 WARN ExecutorPodsSnapshotsStoreImpl: Exception when notifying", wording(said)];
    const failed = { phase: "Failed", containerStatuses: [container(ended(1))] };
    for (const status of [failed, { phase: "Running", containerStatuses: [container({ running: {} })] }]) {
      const [finding] = diagnose(evidence(pod({ metadata: { labels: LABELS }, status }), { log }), NOW).findings;
      expect(finding).toMatchObject({ cause: "Forbidden", role: "driver" });
      expect(finding?.summary).toContain(`the scheduler's gateway refuses what the driver asks for: ${said}`);
      expect(finding?.advice ?? "").toMatch(advice);
      expect(finding?.advice ?? "").not.toContain("kindling rbac");
    }
  });
});

test("where the quota leaves no room, that is what is told", () => {
  const said =
    'persistentvolumeclaims "data" is forbidden: exceeded quota: team, requested: a=1, used: a=2, limited: a=2';
  const status = { phase: "Running", containerStatuses: [container({ running: {} })] };
  const log = WORDINGS.map(([, wording]) => wording(said));
  const [finding] = diagnose(evidence(pod({ metadata: { labels: LABELS }, status }), { log }), NOW).findings;
  expect(finding).toMatchObject({ cause: "QuotaExceeded" });
});
