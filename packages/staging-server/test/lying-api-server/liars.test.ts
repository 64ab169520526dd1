import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { apiServerStub } from "../support/api-server-stub.ts";
import { clusteredServer, collect } from "../support/clustered-server.ts";
import { bundleStatus, daysPass, outlives, PATIENCE } from "../support/driver-scene.ts";
import { stage } from "../support/stage.ts";
import { LIARS } from "./impostors.ts";

it.each(LIARS)(
  "the bundle of a running driver stays when the API server tells of %s",
  async (_name, impostorOf) => {
    await expect(outlives(impostorOf)).resolves.toBeUndefined();
  },
  120_000,
);

it("keeps a bundle that waits for its driver, too, and drops it when the API server is back", async () => {
  const clustered = await clusteredServer();
  const { server, api } = clustered;
  const bundle = await stage(server, { a: 10 });
  await collect(server);
  api.replaceBy((await apiServerStub(5_000_000)).answer);
  await daysPass(clustered);
  expect((await bundleStatus(server, bundle))?.state).toBe("unused");
  api.replaceBy(undefined);
  await eventually(async () => {
    expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "unused" }]);
  }, PATIENCE);
}, 120_000);
