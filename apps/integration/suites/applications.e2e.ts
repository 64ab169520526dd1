import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { APP_DIR, compileJar, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { Kindling, kindling, submissionIdIn, type Ended } from "../clusters/kindling.ts";
import { realSparkSubmit, runToEnd } from "../clusters/spark-submit.ts";
import { eventually, TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

describe.each(TRIED_VERSIONS)("real applications on Spark %s", (version) => {
  const compiled = compileJar(version);
  let namespace: TestNamespace;
  let fixtures: Fixtures;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`apps-${version.replaceAll(".", "-")}`);
    fixtures = await prepareApplications(namespace, version, "jar" in compiled ? compiled.jar : undefined);
  });
  afterAll(async () => {
    fixtures.remove();
    await namespace.remove();
  });

  const submit = (...args: readonly string[]): Promise<Ended> => kindling(["submit", ...fixtures.flags, ...args]);
  const local = (name: string): string => `local://${APP_DIR}/${name}`;

  /** The objects of an application are deleted with its driver pod. */
  async function expectNothingLeft(ended: Ended): Promise<void> {
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    await eventually("an empty namespace", async () => {
      const names = await namespace.leftovers();
      return names.filter((name) => name !== "ConfigMap/applications").length === 0;
    });
  }

  test("a Python application counts words on two executors", async () => {
    const ended = await submit("--name", "python words", "--logs", local("word-count.py"), `${APP_DIR}/text.txt`, "2");
    expect(ended.exit, ended.err).toBe(0);
    const lines = ended.out.split("\n");
    expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    expect(lines).toContain("EXECUTORS 2");
    expect(ended.err).toMatch(/^Application python words with application ID .* succeeded$/m);
    await expectNothingLeft(ended);
  });

  test.skipIf("reason" in compiled)(
    `a JVM application counts words${"reason" in compiled ? ` (${compiled.reason})` : ""}`,
    async () => {
      const ended = await submit("--class", "WordCount", "--logs", local("word-count.jar"), `${APP_DIR}/text.txt`);
      expect(ended.exit, ended.err).toBe(0);
      expect(ended.out.split("\n").filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
      await expectNothingLeft(ended);
    },
  );

  const sparkSubmit = realSparkSubmit(version);
  test.skipIf(sparkSubmit === undefined)("what the real spark-submit submits runs, and kindling knows it", async () => {
    const master = `k8s://${namespace.client.access.server}`;
    const flags = ["--master", master, "--deploy-mode", "cluster", "--name", "real", ...fixtures.flags];
    const submitted = await runToEnd(sparkSubmit ?? "", [...flags, local("word-count.py"), `${APP_DIR}/text.txt`, "2"]);
    expect(submitted.exit, submitted.err).toBe(0);
    const { out: driver } = await kindling(["list", "-n", namespace.name, "-o", "name"]);
    const logs = await kindling(["logs", driver.trim()]);
    expect(logs.out.split("\n").filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    expect(logs.out).toContain("EXECUTORS 2");
    expect(await kindling(["kill", driver.trim()])).toMatchObject({ exit: 0 });
    await eventually("an empty namespace", async () => {
      const names = await namespace.leftovers();
      return names.filter((name) => name !== "ConfigMap/applications").length === 0;
    });
  });

  test("an application that fails makes the submission fail with its exit code, or not, as wanted", async () => {
    const [told, hushed] = await Promise.all([
      submit("--name", "failing", local("fail.py"), "3"),
      submit("--name", "hushed", "--conf", "spark.kindling.submit.exitCode=spark", local("fail.py"), "4"),
    ]);
    expect(told.exit, told.err).toBe(3);
    expect(told.err).toMatch(/^Application failing with application ID .* failed with exit code 3$/m);
    expect(hushed.exit, hushed.err).toBe(0);
    await Promise.all(
      [told, hushed].map((ended) => namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "")),
    );
    await expectNothingLeft(told);
  });

  test("a killed application ends, with its executors, and its submission fails", async () => {
    const following = new Kindling(["submit", ...fixtures.flags, "--name", "long", local("sleep.py")]);
    const driver = await eventually("a running driver with executors", async () => {
      const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role" });
      const running = items.filter((pod) => pod.status?.phase === "Running");
      const executors = running.filter((pod) => pod.metadata?.labels?.["spark-role"] === "executor");
      return executors.length === 2
        ? running.find((pod) => pod.metadata?.labels?.["spark-role"] === "driver")
        : undefined;
    });
    const listed = await kindling(["list", "-n", namespace.name]);
    expect(listed.out).toMatch(
      new RegExp(`^${driver.metadata?.name ?? ""}\\s+long\\s+${version}\\s+Running\\s+2\\s`, "m"),
    );
    const page = await kindling(["status", "-n", namespace.name, "long"]);
    expect(page.out).toContain(driver.metadata?.name);
    expect(page.out).toMatch(/^Executors +2 running, 2 in all$/m);
    const status = await kindling(["status", "-o", "json", `${namespace.name}:long*`]);
    expect(JSON.parse(status.out)).toMatchObject({
      kind: "ApplicationReportList",
      items: [{ name: "long", driverPod: driver.metadata?.name, phase: "Running" }],
    });
    await eventually("the application's own words in its log", async () => {
      const logs = await kindling(["logs", `${namespace.name}:${driver.metadata?.name ?? ""}`]);
      return logs.out.includes(`READY ${version}`);
    });

    const killed = await kindling(["kill", "--grace-period", "1", `${namespace.name}:long*`]);
    expect(killed, killed.err).toMatchObject({
      exit: 0,
      out: `killed ${namespace.name}:${driver.metadata?.name ?? ""}\n`,
    });
    expect((await following.ended).exit).not.toBe(0);
    await expectNothingLeft(await following.ended);
  });

  test("a template, a volume, a secret and a properties file reach driver and executors", async () => {
    await namespace.client.create(resources.secrets, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "credentials" },
      stringData: { password: "open sesame" },
    } as Parameters<typeof namespace.client.create>[1]);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(
      `${fixtures.folder}/application.conf`,
      [
        "spark.kindling-test.from-file  from the file",
        "spark.kubernetes.driver.secretKeyRef.PASSWORD credentials:password",
        "spark.kubernetes.executor.secretKeyRef.PASSWORD credentials:password",
        "spark.kubernetes.driver.secrets.credentials /etc/credentials",
        "spark.kubernetes.driverEnv.FROM_CONF driver-conf",
        "spark.executorEnv.FROM_CONF executor-conf",
        "spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path /scratch",
        "spark.executor.instances 1",
      ].join("\n"),
    );
    const ended = await submit(
      "--properties-file",
      `${fixtures.folder}/application.conf`,
      "--conf",
      "spark.executor.instances=1",
      "--logs",
      local("surroundings.py"),
      "/etc/credentials/password",
    );
    expect(ended.exit, ended.err).toBe(0);
    const lines = ended.out.split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "FILE driver /etc/credentials/password open sesame",
        "ENV driver PASSWORD open sesame",
        "ENV driver FROM_TEMPLATE driver-template",
        "ENV driver FROM_CONF driver-conf",
        "EXECUTOR open sesame executor-template executor-conf",
        "CONF from the file",
      ]),
    );
    await namespace.client.delete(resources.secrets, "credentials");
    await expectNothingLeft(ended);
  });
});
