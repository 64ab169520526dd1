import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications } from "../clusters/applications.ts";
import { OperatedApplications, smallSpec, standIn, stateOf } from "../clusters/operated-applications.ts";
import { InstalledOperator, KUBEFLOW_RELEASE, OURS, STOCK, untilWebhook } from "../clusters/operator.ts";
import { IS_INSTALLED } from "../clusters/services.ts";
import { SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
/** How many applications run meanwhile. Stock takes ten seconds of a processor to submit each. */
const RUNNING = Number(process.env["KINDLING_E2E_TAKEOVER"] ?? "6");
const LIMIT_MS = 300_000 + RUNNING * 30_000;
/** An error that names the awaited event says more than a test timeout. */
const WAIT_MS = LIMIT_MS / 2;
const missing = KUBEFLOW_RELEASE === undefined ? "KINDLING_E2E_KUBEFLOW_RELEASE names no operator" : undefined;
const notInstalled = IS_INSTALLED ? undefined : "KINDLING_E2E_SERVICES is not installed";
const reason = missing ?? notInstalled;
const why = reason === undefined ? "" : ` (${reason})`;

describe.skipIf(reason !== undefined)(
  `from kubeflow's operator to Kindling's and back${why}`,
  { timeout: LIMIT_MS },
  () => {
    let namespace: TestNamespace;
    let operator: InstalledOperator;
    let applications: OperatedApplications;
    const ends: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      namespace = await TestNamespace.create("operator-takeover");
      ends.push(() => namespace.remove());
      (await prepareApplications(namespace, VERSION)).remove();
      operator = await InstalledOperator.start(namespace, STOCK);
      ends.unshift(() => operator.stop());
      await untilWebhook(namespace);
      applications = await OperatedApplications.watch(namespace);
      ends.unshift(() => applications.stop());
    }, LIMIT_MS);
    afterAll(async () => {
      for (const end of ends) await end();
    }, LIMIT_MS);

    /** Starts applications that run until they are told to end: all with the same prefix at once. */
    async function begin(names: readonly string[]): Promise<void> {
      for (const name of names) {
        const [end = ""] = name.split("-");
        const driver = standIn(["python3", `${APP_DIR}/until-told.py`, `end-of-${end}`]);
        await applications.create(name, smallSpec(VERSION, "until-told.py", { driver }));
      }
      for (const name of names) await applications.until(name, ["RUNNING"], WAIT_MS);
    }

    async function tell(end: string): Promise<void> {
      const metadata = { name: `end-of-${end}` };
      await namespace.client.create(resources.configmaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
    }

    /** The runs of some applications: unchanged as long as none was started again. */
    async function runsOf(names: readonly string[]): Promise<readonly unknown[]> {
      return await Promise.all(
        names.map(async (name) => {
          const { status } = (await applications.find(name)) ?? {};
          const drivers = await applications.pods(name, "driver");
          const { submissionID, executionAttempts, submissionAttempts } = status ?? {};
          const uids = drivers.map(({ metadata }) => metadata?.uid);
          return { name, uids, submissionID, executionAttempts, submissionAttempts };
        }),
      );
    }

    async function expectCompleted(names: readonly string[]): Promise<void> {
      for (const name of names) expect(stateOf(await applications.untilEnded(name, WAIT_MS)), name).toBe("COMPLETED");
      for (const name of names) expect(RUN_ONCE).toContainEqual(await applications.statesToTheEnd(name));
    }

    test("what runs meanwhile is neither begun anew nor lost", async () => {
      const numbers = Array.from({ length: RUNNING }, (_, index) => index);
      const half = Math.ceil(RUNNING / 2);
      const early = numbers.slice(0, half).map((number) => `early-${number}`);
      const late = numbers.slice(half).map((number) => `late-${number}`);
      await applications.create("ended", smallSpec(VERSION, "until-told.py", { driver: standIn(["true"]) }));
      await begin([...early, ...late]);
      expect(stateOf(await applications.untilEnded("ended", WAIT_MS))).toBe("COMPLETED");
      const all = ["ended", ...early, ...late];
      const before = await runsOf(all);
      expect(before).toMatchObject(all.map((name) => ({ name, executionAttempts: 1, submissionAttempts: 1 })));

      await operator.upgrade(OURS);
      // If it runs, Kindling's operator is active.
      await begin(["late-ours"]);
      expect(await runsOf(all)).toEqual(before);
      await tell("early");
      await expectCompleted(early);
      const meanwhile = await runsOf([...all, "late-ours"]);
      expect(meanwhile.slice(0, -1)).toEqual(before);

      await operator.upgrade(STOCK);
      await untilWebhook(namespace);
      await begin(["late-again"]);
      expect(await runsOf([...all, "late-ours"])).toEqual(meanwhile);
      await tell("late");
      await expectCompleted([...late, "late-ours", "late-again"]);
      expect(await runsOf([...all, "late-ours"])).toEqual(meanwhile);
    });
  },
);

const RUN_ONCE = [
  ["", "SUBMITTED", "RUNNING", "SUCCEEDING", "COMPLETED"],
  ["", "SUBMITTED", "RUNNING", "COMPLETED"],
];
