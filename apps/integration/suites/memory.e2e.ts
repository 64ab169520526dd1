import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, type Fixtures, prepareApplications } from "../clusters/applications.ts";
import { GATEWAY_HOST, TestGateway } from "../clusters/gateway.ts";
import { type Ended, kindling, submissionIdIn } from "../clusters/kindling.ts";
import { TestNamespace, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

/** There, containers are processes that share the memory of this machine. */
const IS_EMBEDDED = process.env["KINDLING_E2E_EMBEDDED"] === "1";
/** Each of these tests takes a minute or more. */
const IS_FULL = process.env["KINDLING_E2E_FULL"] === "1";
const HEAL = { "spark.kindling.memory": "heal" };
/** Then files in the local directories are in memory. */
const FILES = { "spark.kubernetes.local.dirs.tmpfs": "true" };

describe.skipIf(GATEWAY_HOST === undefined || IS_EMBEDDED).each(TRIED_VERSIONS)(
  "executors with too little memory, on Spark %s",
  (version) => {
    let namespace: TestNamespace;
    let fixtures: Fixtures;
    let gateway: TestGateway;

    beforeAll(async () => {
      namespace = await TestNamespace.create(`memory-${version.replaceAll(".", "-")}`);
      fixtures = await prepareApplications(namespace, version);
      gateway = await TestGateway.start(namespace, GATEWAY_HOST ?? "");
    });
    afterAll(async () => {
      await gateway.stop();
      await namespace.remove();
      fixtures.remove();
    });

    /** Runs an application with one executor of 512 MiB of heap in 896 MiB. */
    async function run(conf: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
      const all = { ...HEAL, "spark.executor.instances": "1", "spark.executor.memoryOverhead": "384m", ...conf };
      const flags = Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
      return await kindling([
        ...["submit", ...fixtures.flags, ...gateway.flags, ...flags, "--logs"],
        ...[`local://${APP_DIR}/memory.py`, ...args],
      ]);
    }

    /** What the gateway has recorded on the driver's pod, in words. */
    async function recorded({ err }: Ended): Promise<string> {
      const driver = submissionIdIn(err).split(":")[1] ?? "";
      const { metadata } = await namespace.client.get(resources.pods, driver);
      const text = metadata?.annotations?.["gateway.kindling/memory"] ?? "{}";
      return (JSON.parse(text) as { readonly words?: string }).words ?? "";
    }

    test("are followed by executors with a larger heap", async () => {
      const ended = await run({}, "heap", "400");
      expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
      expect(ended.out).toContain("NEEDED heap 400");
      expect(await recorded(ended)).toMatch(
        /^Java's heap of \d+ MiB was full in executor \d+.* have a heap of \d+ MiB/,
      );
    });

    test.skipIf(!IS_FULL)("are followed by executors with a larger container", async () => {
      const ended = await run(FILES, "files", "800");
      expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
      expect(ended.out).toContain("NEEDED files 800");
      expect(await recorded(ended)).toMatch(/^executor \d+ used more than its container's \d+ MiB, and was killed/);
    });

    test("fail with the number if they would need more than they may have", async () => {
      const limits = { "spark.kindling.memory.max": "896m", "spark.task.maxFailures": "2" };
      const ended = await run({ ...FILES, ...limits }, "files", "1000");
      expect(ended.exit).toBe(1);
      expect(ended.err).toMatch(/used more than its container's 896 MiB, and was killed/);
      expect(ended.err).toContain("and it gets no more: spark.kindling.memory.max allows 896 MiB");
    });

    // Where a Python worker is killed alone, its executor lives on, and only another run of the driver helps.
    test.skipIf(!IS_FULL)("have enough for Python in the end", async () => {
      const restart = { "spark.kindling.driver.restart": "onFailure", "spark.kindling.driver.restart.backoff": "1s" };
      const ended = await run(restart, "python", "800");
      expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
      expect(ended.out).toContain("NEEDED python 800");
      expect(await recorded(ended)).toMatch(/executors from now on have \d+ MiB/);
    });
  },
);
