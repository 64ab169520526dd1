import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR } from "../clusters/applications.ts";
import { GatewayDrivers } from "../clusters/gateway-drivers.ts";
import { submissionIdIn } from "../clusters/kindling.ts";
import { HAS_GATEWAY } from "../clusters/services.ts";
import { stagingSetup } from "../clusters/staging.ts";
import { eventually, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

const IMAGE = stagingSetup()?.image;
/** An embedded cluster asks no liveness probes, and its localizer's image has no other program. */
const IS_EMBEDDED = process.env["KINDLING_E2E_EMBEDDED"] === "1";

const ELASTIC = {
  "spark.kindling.shuffle": "keep",
  "spark.dynamicAllocation.enabled": "true",
  "spark.dynamicAllocation.minExecutors": "0",
  "spark.dynamicAllocation.maxExecutors": "2",
  "spark.dynamicAllocation.executorIdleTimeout": "3s",
};

const KEEPERS = { labelSelector: "gateway.kindling/keeper=true" };

describe.skipIf(!HAS_GATEWAY || IMAGE === undefined || IS_EMBEDDED).each(TRIED_VERSIONS)(
  "executors that leave their shuffle files behind, on Spark %s",
  (version) => {
    let drivers: GatewayDrivers;

    beforeAll(async () => {
      drivers = await GatewayDrivers.start("kept-shuffle", version);
    });
    afterAll(async () => {
      await drivers.stop();
    });

    test("can all go, or be killed, and no map task runs again", async () => {
      // From Spark 4.0 on, executors and shuffle servers of a sealed application speak TLS.
      const sealed = { "spark.kindling.seal": String(!version.startsWith("3.")) };
      const conf = { ...ELASTIC, ...sealed, "spark.kindling.localizer.image": IMAGE ?? "" };
      const running = drivers.begin(conf, `local://${APP_DIR}/shuffles.py`);
      const { client } = drivers.namespace;
      const keeper = await eventually("a keeper that has given its room back", async () => {
        const { items } = await client.listAll(resources.pods, KEEPERS);
        return items.find(({ spec }) => spec?.containers[1]?.resources?.requests?.["memory"] === "4Mi");
      });
      expect(keeper.status?.phase).toBe("Running");
      const ended = await running.ended;
      expect(ended.exit, drivers.said(ended)).toBe(0);
      const told = ended.out.split("\n").filter((line) => /^(KEYS|EXECUTORS|ROWS|MAP TASKS) /.test(line));
      expect(told, drivers.said(ended)).toEqual([
        "KEYS 97",
        "EXECUTORS 0",
        "ROWS 20000",
        "MAP TASKS 4",
        "ROWS 20000",
        "MAP TASKS 8",
      ]);
      await eventually("the end of all keepers", async () => {
        const { items } = await client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
        return items.length === 0;
      });
      await drivers.namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    });

    test("end without their pods when they are asked to leave", async () => {
      const conf = {
        "spark.kindling.shuffle": "keep",
        "spark.kindling.localizer.image": IMAGE ?? "",
        "spark.executor.instances": "1",
      };
      const running = drivers.begin(conf, `local://${APP_DIR}/sleep.py`, "120");
      const { client } = drivers.namespace;
      const pod = await eventually("an executor", async () => {
        const { items } = await client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
        return items.find(({ status }) => status?.containerStatuses?.every(({ ready }) => ready) === true);
      });
      const name = pod.metadata?.name ?? "";
      // The gateway does this when a queue wants the room.
      const labels = { "gateway.kindling/keeper": "leaving" };
      await client.patch(resources.pods, name, "merge", { metadata: { labels } });
      const keeper = await eventually("a keeper", async () => {
        const { items } = await client.listAll(resources.pods, KEEPERS);
        return items.find(({ metadata }) => metadata?.name === name);
      });
      expect(keeper.status?.phase).toBe("Running");
      // It has shuffled nothing, so nobody wants it.
      await eventually("the end of the keeper", async () => {
        const { items } = await client.listAll(resources.pods);
        return items.every(({ metadata }) => metadata?.name !== name);
      });
      running.child.kill();
      const ended = await running.ended;
      await drivers.namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    });
  },
);
