import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareApplications, type Fixtures } from "../clusters/applications.ts";
import { type GatewayService, HAS_GATEWAY, startGateway } from "../clusters/services.ts";
import { stream } from "../clusters/streaming.ts";
import { ENFORCED_LEVEL, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

/** It takes over a minute: with one version, and with two deaths. `KINDLING_E2E_FULL=1` for five. */
const [VERSION = ""] = SPARK_VERSIONS;
const STREAM =
  process.env["KINDLING_E2E_FULL"] === "1"
    ? { files: 60, kills: 3, evictions: 2 }
    : { files: 20, kills: 1, evictions: 1 };

/** The stream is a folder of the node, which no level but `privileged` admits. */
const IS_ADMITTED = ENFORCED_LEVEL === undefined;

describe.skipIf(!HAS_GATEWAY || !IS_ADMITTED)(`drivers that are started again, on Spark ${VERSION}`, () => {
  let namespace: TestNamespace;
  let gateway: GatewayService;
  let fixtures: Fixtures;

  beforeAll(async () => {
    namespace = await TestNamespace.create("gateway-restarts");
    fixtures = await prepareApplications(namespace, VERSION);
    gateway = await startGateway(namespace);
  });
  afterAll(async () => {
    await gateway.stop();
    fixtures.remove();
    await namespace.remove();
  });

  test("count each record of a stream once, though drivers are killed and evicted", async () => {
    const { files, kills, evictions } = STREAM;
    const { counted, told, ...streamed } = await stream(namespace, gateway, fixtures, STREAM);
    expect(streamed, told).toEqual({ phase: "Succeeded", restarts: kills + evictions });
    expect(gateway.log.join("")).not.toContain("OOMKilled");
    const [, records = "0"] = /^RECORDS (\d+) DISTINCT \1 WANTED \1$/.exec(counted) ?? [];
    expect(Number(records), counted).toBeGreaterThanOrEqual(files * 10);
  }, 900_000);
});
