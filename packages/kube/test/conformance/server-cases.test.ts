import { describe, expect, test } from "vitest";
import { serverCases } from "../../src/conformance/index.ts";
import { realCluster } from "../fixtures/real-cluster.ts";

const cluster = await realCluster();

describe.skipIf(!cluster.isThere).concurrent(`on ${cluster.title}`, () => {
  test.each(serverCases)("$name", { timeout: 30_000 }, async ({ run }) => {
    await expect(cluster.inOwnNamespace((client) => run({ client }))).resolves.toBeUndefined();
  });
});
