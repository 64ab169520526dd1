import { expect, test } from "vitest";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import { submitTo } from "../fixtures/submission.ts";

const TOKEN = "tok-8Hq2vLs9";
const SECRET = "hunter2-Xq7";

test("a server that repeats the request shows no secret of it through errors, hints and causes", async () => {
  const cluster = await TestCluster.start();
  cluster.api.fault = ({ method, path, headers, body }) => {
    if (method !== "POST") return undefined;
    const message = `${method} ${path} ${JSON.stringify(headers)} ${encodeURIComponent(TOKEN)} ${JSON.stringify(body)}`;
    const causes = [{ field: "spec", message }];
    return { kind: "status", status: 422, reason: "Invalid", message: message.slice(-900), details: { causes } };
  };
  const conf = {
    "spark.kubernetes.driverEnv.DB_PASSWORD": SECRET,
    "spark.kubernetes.driver.annotation.api-token": SECRET,
    "spark.kubernetes.authenticate.submission.oauthToken": TOKEN,
  };
  const error = await caught(submitTo(cluster, { conf }));
  const told: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    told.push(at.message, at.stack ?? "", JSON.stringify(at));
  }
  expect(told.length).toBeGreaterThan(3);
  expect([TOKEN, SECRET].filter((secret) => told.join("\n").includes(secret))).toEqual([]);
});
