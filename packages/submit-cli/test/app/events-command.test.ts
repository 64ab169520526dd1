import { expect, test } from "vitest";
import { application, OperatedCluster } from "../fixtures/operated-cluster.ts";

test("events are what the operator has recorded about this object, also as data, and as they come", async () => {
  const operated = await OperatedCluster.start();
  const object = await operated.apply(application("pi"));
  expect(await operated.run(["events", "pi"])).toMatchObject({ code: 0, stdout: "", stderr: /^no events/ });
  await operated.record(await operated.apply(application("other")), "SparkApplicationFailed", "of another");
  await operated.record(object, "SparkApplicationSubmitted", "SparkApplication pi was submitted successfully");
  const { stdout } = await operated.run(["events", "pi"]);
  expect(stdout).toMatch(
    /^LAST SEEN +TYPE +REASON +MESSAGE\n\ds +Normal +SparkApplicationSubmitted +SparkApplication pi was submitted successfully\n$/,
  );
  expect(JSON.parse((await operated.run(["events", "pi", "-o", "json"])).stdout)).toMatchObject([
    { reason: "SparkApplicationSubmitted", count: 1 },
  ]);

  const following = operated.startApp(["events", "-f", "pi"]);
  await following.saying("SparkApplicationSubmitted");
  await operated.record(object, "SparkDriverRunning", "Driver pi-driver is running");
  await following.saying("SparkDriverRunning");
  await operated.record(object, "SparkApplicationCompleted", "SparkApplication pi completed");
  await operated.tellState("pi", "COMPLETED");
  const ended = await following.ended;
  expect(ended.code).toBe(0);
  expect(
    ended.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("  ").slice(1, 3).join()),
  ).toEqual(["Normal,SparkApplicationSubmitted", "Normal,SparkDriverRunning", "Normal,SparkApplicationCompleted"]);
  expect((await operated.run(["events", "-f", "-o", "json", "pi"])).stderr).toBe(
    "error: --follow prints lines, and no json\n",
  );
});
