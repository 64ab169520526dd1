import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { someRounds } from "@kindling/test-kit/rounds";
import { clusteredServer, collect } from "../support/clustered-server.ts";
import { bundleStatus, aDayPasses, outlives, PATIENCE } from "../support/driver-scene.ts";
import { otherCluster, replaceApiServer, restoreApiServer } from "../support/impostor.ts";
import { stage } from "../support/stage.ts";
import { LIARS } from "./impostors.ts";

it.each(someRounds("liars", LIARS, 1 / 3))(
  "the bundle of a running driver stays when the API server tells of %s",
  async (_name, impostor) => {
    await expect(outlives(await impostor())).resolves.toBeUndefined();
  },
  120_000,
);

it("keeps a bundle that waits for its driver, too, and drops it when the API server is back", async () => {
  const clustered = await clusteredServer();
  const { server, cluster } = clustered;
  const bundle = await stage(server, { a: 10 });
  await collect(server);
  await replaceApiServer(cluster, await otherCluster());
  await aDayPasses(clustered);
  expect((await bundleStatus(server, bundle))?.state).toBe("unused");
  restoreApiServer(cluster);
  await eventually(async () => {
    expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "unused" }]);
  }, PATIENCE);
}, 120_000);
