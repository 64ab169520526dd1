import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, describe, expect, test } from "vitest";
import { interrupt, startKindling, type RunningProcess } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const VOLCANO = conf({
  "spark.kubernetes.driver.pod.featureSteps": "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep",
});

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start({ podGroups: true });
});

const submit = (...flags: string[]): RunningProcess =>
  startKindling(["submit", ...flagsFor(cluster), ...flags, ...APP]);

describe.each(["SIGINT", "SIGTERM"] as const)("%s while following", (signal) => {
  test("leaves the application alone, and says how to go on with it", async () => {
    const process = submit();
    await process.saying("Running ");
    process.child.kill(signal);
    const { code, stderr } = await process.ended;
    const id = `spark-jobs:${(await cluster.objects<Pod>("Pod"))[0]?.metadata?.name}`;
    expect(code).toBe(130);
    expect(
      stderr.endsWith(
        `Interrupted; the application goes on.\n  follow it: kindling logs -f ${id}\n  end it:    kindling kill ${id}\n`,
      ),
    ).toBe(true);
    expect(stderr).not.toMatch(/^error:/m);
    expect(await cluster.contents()).toHaveLength(4);
    expect(cluster.api.writes.map(({ method }) => method)).not.toContain("DELETE");
  });
});

describe("an interrupt while creating", () => {
  test.each([
    ["before the pod", "PodGroup"],
    ["at the pod", "Pod"],
    ["behind the pod", "Service"],
  ])("%s takes away what was made, and says so", async (_, kind) => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    cluster.api.fault = ({ body, method }) =>
      method !== "DELETE" && (body as { kind?: string } | undefined)?.kind === kind
        ? { kind: "wait", until: held }
        : undefined;
    const process = submit(...VOLCANO);
    await expect
      .poll(() => cluster.api.writes.some(({ body }) => (body as { kind?: string }).kind === kind))
      .toBe(true);
    await interrupt(process);
    release();
    const { code, stdout, stderr } = await process.ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: "",
      stderr: "Interrupted; nothing is left in the cluster.\n",
    });
    await expect.poll(() => cluster.contents()).toEqual([]);
  });

  test("leaves what another call may have adopted, and says what that is", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    cluster.api.fault = ({ body }) =>
      (body as { kind?: string } | undefined)?.kind === "Service" ? { kind: "wait", until: held } : undefined;
    const process = submit("--submission-id", "nightly");
    await expect.poll(() => cluster.api.writes.length).toBe(4);
    const pod = await cluster.driver();
    await interrupt(process);
    release();
    const { code, stderr } = await process.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`kubectl -n spark-jobs delete pod ${pod.metadata?.name}`);
    expect(await cluster.contents()).toHaveLength(4);
  });

  test("ends the process at once when it comes twice", async () => {
    cluster.api.fault = ({ method }) =>
      method === "POST" ? { kind: "wait", until: new Promise(() => {}) } : undefined;
    const process = submit();
    await expect.poll(() => cluster.api.writes.length).toBe(1);
    // Two signals before the first was handled count as one for the process; then the next one is the second.
    await expect
      .poll(
        () => {
          process.child.kill("SIGINT");
          return process.child.signalCode;
        },
        { timeout: 30_000 },
      )
      .toBe("SIGINT");
    await process.ended;
  });
});
