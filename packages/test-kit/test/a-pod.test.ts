import { expect, test } from "vitest";
import { aPod } from "../src/a-pod.ts";

test("a pod is what was said of it, as one asks for it and as an API server tells of it", () => {
  const driver = aPod("d").in("jobs").driver().requests({ cpu: "1" }).gated("x/admission").running();
  expect(driver.build()).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "d", namespace: "jobs", labels: { "spark-role": "driver", "spark-app-selector": "spark-d" } },
    spec: {
      containers: [{ name: "spark-kubernetes-driver", image: "spark", resources: { requests: { cpu: "1" } } }],
      schedulingGates: [{ name: "x/admission" }],
    },
    status: {
      phase: "Running",
      containerStatuses: [
        {
          ...{ name: "spark-kubernetes-driver", image: "spark", imageID: "", ready: true },
          ...{ restartCount: 0, state: { running: { startedAt: "2026-01-01T00:00:00Z" } } },
        },
      ],
    },
  });
  expect(aPod("e").executor(3, "spark-d").ownedBy(driver).failed(137, "OOMKilled").deleting().stored()).toMatchObject({
    metadata: {
      name: "e",
      uid: "uid-of-e",
      resourceVersion: "1",
      labels: { "spark-role": "executor", "spark-app-selector": "spark-d", "spark-exec-id": "3" },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "d", uid: "uid-of-d", controller: true }],
      deletionTimestamp: "2026-01-01T00:00:00Z",
    },
    status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 137, reason: "OOMKilled" } } }] },
  });
});

test("words do not change the builder that they are said of", () => {
  const pod = aPod("p");
  for (const other of [pod.labels({ a: "b" }), pod.container("other"), pod.running(), pod.requests({ cpu: "1" })]) {
    expect(other.build()).not.toEqual(pod.build());
  }
  expect(pod.build()).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "main", image: "spark" }] },
  });
});
