import { beforeEach, describe, expect, test } from "vitest";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kindling } from "../fixtures/kindling-process.ts";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

const NOBODY = conf({ "spark.kubernetes.driver.scheduler.name": "nobody" });
const submit = (...args: string[]): ReturnType<typeof kindling> =>
  kindling(["submit", ...flagsFor(cluster), ...args, ...APP]);

describe("kindling submit with a limit of time", () => {
  test("ends with 124 when the driver has not started in time, and leaves it", async () => {
    const { code, stderr } = await submit(...NOBODY, "--pending-timeout", "300ms");
    expect(code).toBe(124);
    expect(stderr).toMatch(
      /Timed out: the driver has not started within 300ms; it goes on\.\n {2}follow it: kindling wait /,
    );
    expect((await cluster.driver()).metadata?.deletionTimestamp).toBeUndefined();
  });

  test("tells programs so", async () => {
    const { code, stdout } = await submit(...NOBODY, "--timeout=300ms", "-o", "json");
    expect(code).toBe(124);
    expect(JSON.parse(stdout)).toMatchObject({ result: "timed-out", outcome: { limit: "timeout" } });
  });

  test("ends the application where that is wanted", async () => {
    const { code, stderr } = await submit(...NOBODY, "--timeout", "300ms", "--kill-on-timeout");
    expect(code).toBe(124);
    expect(stderr).toMatch(
      /Timed out: the application has not ended within 300ms, and it is ended \(--kill-on-timeout\)\.\n$/,
    );
    await expect.poll(() => cluster.objects("Pod")).toEqual([]);
  });

  test.each([
    [["--timeout", "soon"], "--timeout soon: must be a duration"],
    [["--kill-on-timeout"], "--kill-on-timeout: there is no time limit"],
    [
      ["--timeout", "5s", ...conf({ "spark.kubernetes.submission.waitAppCompletion": "false" })],
      "--timeout: nothing is waited for",
    ],
  ])("refuses %j before anything is made", async (flags, message) => {
    const { code, stderr } = await submit(...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(cluster.api.writes).toEqual([]);
  });
});
