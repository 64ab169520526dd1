import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { parse } from "yaml";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { Serving } from "../clusters/serving.ts";
import { eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const [VERSION = ""] = SPARK_VERSIONS.slice(-1);

interface Submitted {
  readonly id: string;
  readonly driverPod: string;
  readonly driverPodUid: string;
  readonly existed: boolean;
}

interface Status {
  readonly id: string;
  readonly phase: string;
  readonly exitCode?: number;
  readonly findings?: readonly { readonly summary: string }[];
}

describe("kindling serve", { timeout: 300_000 }, () => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let serving: Serving;
  let conf: Record<string, string>;
  let templates: { readonly driver: object; readonly executor: object };

  beforeAll(async () => {
    namespace = await TestNamespace.create("serve");
    fixtures = await prepareApplications(namespace, VERSION);
    // For the command these are files of this machine; here they are in the body.
    const isOfBody = ([key]: readonly [string, string]): boolean =>
      !key.endsWith(".podTemplateFile") && key !== "spark.kubernetes.namespace";
    conf = Object.fromEntries(Object.entries(fixtures.conf).filter(isOfBody));
    const template = (role: string): object =>
      parse(readFileSync(join(fixtures.folder, `${role}.yaml`), "utf8")) as object;
    templates = { driver: template("driver"), executor: template("executor") };
    serving = await Serving.start(namespace.name);
  });
  afterAll(async () => {
    await serving.kill();
    fixtures.remove();
    await namespace.remove();
  });

  const application = (script: string, ...args: readonly string[]): object => ({
    application: { resource: `local://${APP_DIR}/${script}`, arguments: args },
    namespace: namespace.name,
    conf,
    driverTemplate: templates.driver,
    executorTemplate: templates.executor,
  });
  const submit = (body: object): ReturnType<typeof serving.ask<Submitted>> =>
    serving.ask<Submitted>("POST", "submissions", body);
  const statusOf = async (id: string): Promise<Status> => (await serving.ask<Status>("GET", `submissions/${id}`)).body;
  const inPhase = (id: string, phase: string): Promise<Status> =>
    eventually(`${phase} of ${id}`, async () => {
      const status = await statusOf(id);
      return status.phase === phase && status;
    });

  test("an application is submitted, followed by its log and its events, and has its result", async () => {
    const { status, body } = await submit(application("word-count.py", `${APP_DIR}/text.txt`, "1"));
    expect(status, JSON.stringify(body)).toBe(201);
    const [log, events] = await Promise.all([
      serving.text(`submissions/${body.id}/log?follow=true`),
      serving.text(`submissions/${body.id}/events`),
    ]);
    expect(
      log.split("\n").filter((line) => line.startsWith("COUNT ")),
      `the log:\n${log}`,
    ).toEqual(WORD_COUNTS);
    expect(events).toMatch(/^event: reset$/m);
    expect(events.trimEnd().split("\n").at(-1)).toContain('"phase":"Succeeded"');
    expect(await statusOf(body.id)).toMatchObject({ phase: "Succeeded", exitCode: 0, findings: [] });
  });

  test("why an application failed is told", async () => {
    const { body } = await submit(application("raise.py"));
    const { findings } = await inPhase(body.id, "Failed");
    expect(findings?.length).toBeGreaterThan(0);
  });

  test("the same id again, also from another service after a kill, is the same application; it is ended", async () => {
    const body = { ...application("sleep.py"), submissionId: "e2e-once" };
    const [first, second] = await Promise.all([submit(body), submit(body)]);
    for (const { status } of [first, second]) expect([200, 201]).toContain(status);
    expect(second.body.driverPodUid).toBe(first.body.driverPodUid);
    await serving.kill();
    serving = await Serving.start(namespace.name);
    const again = await submit(body);
    expect(again).toMatchObject({ status: 200, body: { driverPodUid: first.body.driverPodUid, existed: true } });
    const { id, driverPod } = first.body;
    await inPhase(id, "Running");
    const listed = await serving.ask<{ items: readonly Status[] }>("GET", "submissions?state=Running");
    expect(listed.body.items.map((each) => each.id)).toContain(id);
    expect((await serving.ask("DELETE", `submissions/${id}?gracePeriodSeconds=0`)).status).toBe(202);
    await eventually("the end of the driver pod", async () => {
      const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
      return items.every(({ metadata }) => metadata?.name !== driverPod);
    });
  });

  test("what the kubeflow operator sends is submitted once, under the names that it gave", async () => {
    const args = [
      ...["--master", "k8s://https://kubernetes.default.svc:443", "--deploy-mode", "cluster", "--name", "spark-pi"],
      ...["--class", "org.apache.spark.examples.SparkPi"],
      ...Object.entries({
        ...conf,
        "spark.kubernetes.namespace": namespace.name,
        "spark.kubernetes.submission.waitAppCompletion": "false",
        "spark.kubernetes.driver.pod.name": "spark-pi-driver",
      }).flatMap((entry) => ["--conf", entry.join("=")]),
      ...["spark-internal", "10"],
    ];
    const body = { submission_id: "0c1f7a52-9d8e-4b7c-a6f5-1e2d3c4b5a69", spark_submit_args: args };
    const first = await serving.ask("POST", "spark-submit", body);
    expect(first, JSON.stringify(first)).toMatchObject({
      status: 201,
      body: { driver_pod_name: "spark-pi-driver", namespace: namespace.name, duplicate_submission: false },
    });
    const again = await serving.ask("POST", "spark-submit", body);
    expect(again).toMatchObject({
      status: 200,
      body: { driver_pod_uid: first.body["driver_pod_uid"], duplicate_submission: true },
    });
    const other = await serving.ask("POST", "spark-submit", { ...body, submission_id: "another" });
    expect(other).toMatchObject({ status: 409, body: { error_code: "DRIVER_POD_ALREADY_EXISTS" } });
    await serving.ask("DELETE", `submissions/${namespace.name}:spark-pi-driver?gracePeriodSeconds=0`);
  });

  test("the service ends in good order", async () => {
    expect(await serving.stop()).toBe(0);
  });
});
