import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { leftOut } from "../../src/cluster/left-out.ts";
import { submitTo } from "../fixtures/submission.ts";

describe("what an API server leaves out of a pod", () => {
  test("is told when the application is submitted", async () => {
    const cluster = await TestCluster.start();
    const { path } = scratchFolder({
      "driver.yaml": "spec: {workloadRef: {name: gang, podGroup: all}, hostUsers: false}",
    });
    const notices: string[] = [];
    await submitTo(cluster, {
      conf: { "spark.kubernetes.driver.podTemplateFile": `${path}/driver.yaml` },
      onEvent: (event) => event.type === "notice" && notices.push(event.message),
    });
    expect(notices).toEqual([
      "the API server left out spec.workloadRef of the pod: its Kubernetes may not know it, or has it switched off",
    ]);
  });

  test("is not told of a pod that it has as it was sent", async () => {
    const cluster = await TestCluster.start();
    const notices: string[] = [];
    await submitTo(cluster, { onEvent: (event) => event.type === "notice" && notices.push(event.message) });
    expect(notices).toEqual([]);
  });

  // Kubernetes 1.28 answered like this.
  test("says what it means that a sidecar has become an init container", () => {
    const sent = { initContainers: [{ name: "agent", image: "agent:1", restartPolicy: "Always" }], containers: [] };
    const answer = { initContainers: [{ name: "agent", image: "agent:1", resources: {} }], containers: [] };
    expect(leftOut(pod(sent), pod(answer))).toEqual([
      "the API server left out spec.initContainers[agent].restartPolicy of the pod: sidecars need Kubernetes 1.29, and without it Spark does not start before that container has ended",
    ]);
  });

  test("says what it means that resources of the whole pod are not there", () => {
    const sent = { resources: { limits: { memory: "2Gi" } }, containers: [] };
    expect(leftOut(pod(sent), pod({ containers: [] }))).toEqual([
      "the API server left out spec.resources of the pod: resources of a pod as a whole need Kubernetes 1.34, and without it only those of its containers count",
    ]);
  });

  test.each([
    ["a value that says nothing", { hostNetwork: false, priority: 0, nodeName: "", nodeSelector: {} }, {}],
    ["a value that the server writes in another way", { overhead: { cpu: "1000m" } }, { overhead: { cpu: "1" } }],
    [
      "an item that a webhook put in front",
      { tolerations: [{ operator: "Exists" }], volumes: [{ name: "a", emptyDir: {} }] },
      {
        tolerations: [{ key: "spot" }, { operator: "Exists", effect: "" }],
        volumes: [{ name: "b" }, { name: "a", emptyDir: {} }],
      },
    ],
  ])("does not contain %s", (_, sent, answer) => {
    expect(leftOut(pod(sent), pod(answer))).toEqual([]);
  });

  test.each([
    ["null", null],
    ["an empty object", pod()],
  ])("is nothing where a server answers with %s", (_, answer) => {
    expect(leftOut(pod({ hostUsers: true }), answer)).toEqual([]);
  });
});

/** As a server or a webhook may have it. */
function pod(spec?: object): { readonly spec?: object } {
  return spec === undefined ? {} : { spec };
}
