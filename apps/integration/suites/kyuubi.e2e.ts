import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { APP_DIR, prepareApplications } from "../clusters/applications.ts";
import { Kyuubi, KYUUBI_HOME, type KyuubiBatch } from "../clusters/kyuubi.ts";
import { eventually, SHORT_LIVED, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const LIMIT_MS = 300_000;
const why = KYUUBI_HOME === undefined ? " (KINDLING_E2E_KYUUBI names no Kyuubi)" : "";

// At the same time: most of a batch is its start.
describe.skipIf(KYUUBI_HOME === undefined)(`Kyuubi's batches${why}`, { timeout: LIMIT_MS, concurrent: true }, () => {
  let namespace: TestNamespace;
  let kyuubi: Kyuubi;
  const ends: (() => Promise<void> | void)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("kyuubi");
    ends.push(() => namespace.remove());
    const fixtures = await prepareApplications(namespace, VERSION);
    ends.unshift(() => fixtures.remove());
    kyuubi = await Kyuubi.start(namespace, { ...fixtures.conf, ...SHORT_LIVED });
    ends.unshift(() => kyuubi.stop());
  }, LIMIT_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  }, LIMIT_MS);

  const noWait = { "kyuubi.session.engine.startup.waitCompletion": "false" };

  function run(
    name: string,
    [script, ...args]: readonly [string, ...string[]],
    conf: Readonly<Record<string, string>> = {},
  ): Promise<KyuubiBatch> {
    return kyuubi.submit({ batchType: "PYSPARK", name, resource: `local://${APP_DIR}/${script}`, args, conf });
  }

  function until(id: string, ...states: readonly KyuubiBatch["state"][]): Promise<KyuubiBatch> {
    return eventually(
      `batch ${id} in ${states.join(" or ")}`,
      async () => {
        const batch = await kyuubi.batch(id);
        return states.includes(batch.state) && batch;
      },
      LIMIT_MS / 2,
    );
  }

  /** The labels of a batch's driver pod; undefined when it is gone. */
  async function driverOf(id: string): Promise<Readonly<Record<string, string>> | undefined> {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: `kyuubi-unique-tag=${id}` });
    return items[0]?.metadata?.labels;
  }

  test.each([
    ["waits for its end", {}, true],
    ["goes on without it", noWait, false],
  ])("runs an application where the process %s: Kyuubi finds it by its tag, and follows it", async (_, conf, waits) => {
    const { id } = await run("runs", ["word-count.py", `${APP_DIR}/text.txt`, "1"], conf);
    const batch = await until(id, "FINISHED", "ERROR");
    const log = await kyuubi.log(id);
    expect(batch, log).toMatchObject({ state: "FINISHED", appState: "FINISHED" });
    expect(batch.appId).toBe((await driverOf(id))?.["spark-app-selector"]);
    // From the driver's service: its selector and the name of its port.
    expect(batch.appUrl).toMatch(/^http:\/\/\S+-driver-svc\.\S+\.svc:4040$/);
    expect(log).toContain("State changed, new state: ");
    expect(log.includes("Container final statuses:")).toBe(waits);
  });

  test("knows that the driver failed, and how", async () => {
    const { id } = await run("fails", ["fail.py", "3"]);
    const { state, appState, appDiagnostic } = await until(id, "FINISHED", "ERROR");
    expect({ state, appState }).toEqual({ state: "ERROR", appState: "FAILED" });
    // Kyuubi submits with --proxy-user. For such an application Spark changes every exit code to 1.
    expect(appDiagnostic).toMatch(/"exitCode":1,/);
  });

  test("shows the cause where nothing can be submitted", async () => {
    const { id } = await run("refused", ["fail.py", "3"], { "spark.driver.memory": "much" });
    await until(id, "ERROR");
    expect(await kyuubi.log(id)).toContain('Caused by: spark.driver.memory: "much" is not a positive size');
    expect(await driverOf(id)).toBeUndefined();
  });

  test.each([
    ["waits", {}],
    ["has ended", noWait],
  ])("is killed while the process %s, and the application ends with it", async (_, conf) => {
    const { id } = await run("killed", ["sleep.py"], conf);
    await until(id, "RUNNING");
    expect(await kyuubi.kill(id)).toMatchObject({ success: true });
    await eventually("the end of the driver", async () => (await driverOf(id)) === undefined);
    expect(await kyuubi.batch(id)).toMatchObject({ state: "CANCELED" });
  });
});
