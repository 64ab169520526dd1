import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { APP_DIR, prepareApplications } from "../clusters/applications.ts";
import { Livy, whyNoLivy, type LivyBatch } from "../clusters/livy.ts";
import { eventually, SHORT_LIVED, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const [VERSION = ""] = SPARK_VERSIONS;
const LIMIT_MS = 300_000;
const missing = await whyNoLivy();
const why = missing === undefined ? "" : ` (${missing})`;

// At the same time: most of a batch is its start.
describe.skipIf(missing !== undefined)(`Livy's batches${why}`, { timeout: LIMIT_MS, concurrent: true }, () => {
  let namespace: TestNamespace;
  let livy: Livy;
  const ends: (() => Promise<void> | void)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("livy");
    ends.push(() => namespace.remove());
    const fixtures = await prepareApplications(namespace, VERSION);
    ends.unshift(() => fixtures.remove());
    livy = await Livy.start(namespace, { ...fixtures.conf, ...SHORT_LIVED });
    ends.unshift(() => livy.stop());
  }, LIMIT_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  }, LIMIT_MS);

  function run(
    name: string,
    [script, ...args]: readonly [string, ...string[]],
    conf: Readonly<Record<string, string>> = {},
  ): Promise<LivyBatch> {
    return livy.submit({ name, file: `local://${APP_DIR}/${script}`, args, conf });
  }

  function until(id: number, ...states: readonly LivyBatch["state"][]): Promise<LivyBatch> {
    return eventually(
      `batch ${id} in ${states.join(" or ")}`,
      async () => {
        const batch = await livy.batch(id);
        return states.includes(batch.state) && batch;
      },
      LIMIT_MS / 2,
    );
  }

  /** The labels of a batch's driver pod; undefined when it is gone. */
  async function driverOf(id: number): Promise<Readonly<Record<string, string>> | undefined> {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
    const labels = items.map(({ metadata }) => metadata?.labels ?? {});
    return labels.find((each) => each["spark-app-tag"]?.startsWith(`livy-batch-${id}-`));
  }

  test("runs an application: Livy finds it by its tag, follows it to its end, and shows its log", async () => {
    const { id } = await run("runs", ["word-count.py", `${APP_DIR}/text.txt`, "1"]);
    const { state, appId } = await until(id, "success", "dead");
    expect(state, await livy.log(id)).toBe("success");
    expect(appId).toBe((await driverOf(id))?.["spark-app-selector"]);
    const log = await livy.log(id);
    expect(log).toContain("COUNT question 1");
    expect(log).toMatch(/State changed, new state: /);
  });

  test("knows that the driver failed", async () => {
    const { id } = await run("fails", ["fail.py", "3"]);
    expect((await until(id, "success", "dead")).state).toBe("dead");
    expect(await livy.log(id)).toContain("ABOUT TO FAIL");
  });

  test("shows the cause where nothing can be submitted", async () => {
    const { id } = await run("refused", ["fail.py", "3"], { "spark.driver.memory": "much" });
    await until(id, "dead");
    expect(await livy.log(id)).toContain('Caused by: spark.driver.memory: "much" is not a positive size');
    expect(await driverOf(id)).toBeUndefined();
  });

  test("is killed, and the application ends with it", async () => {
    const { id } = await run("killed", ["sleep.py"]);
    await until(id, "running");
    await livy.kill(id);
    // The cluster then deletes the executors, which the driver owns.
    await eventually("the end of the driver", async () => (await driverOf(id)) === undefined);
    await expect(livy.batch(id)).rejects.toThrow("status 404");
  });
});
