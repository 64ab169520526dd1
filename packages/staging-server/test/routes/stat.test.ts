import { expect, it } from "vitest";
import { putBlob, sample, stage } from "../support/stage.ts";
import { openLease, testServer } from "../support/test-server.ts";

it("counts what is stored as soon as it is, and no longer than it is", async () => {
  const server = await testServer({ "lifecycle.interval": 3600, "lifecycle.blobGrace": 0 });
  const client = server.client();
  const stock = async (): Promise<unknown> => {
    const { blobs, blobBytes } = await client.storageStatus();
    return { blobs, blobBytes };
  };
  expect(await stock()).toEqual({ blobs: 0, blobBytes: 0 });
  await putBlob(server, await openLease(server), sample(3000));
  expect(await stock()).toEqual({ blobs: 1, blobBytes: 3000 });
  const bundle = await stage(server, { a: 1000, b: 500 });
  expect(await stock()).toEqual({ blobs: 3, blobBytes: 4500 });
  expect((await client.storageStatus()).namespaces).toMatchObject([{ namespace: "default", bundles: 1, bytes: 1500 }]);
  await client.deleteBundle(bundle.bundleId);
  expect(await stock()).toEqual({ blobs: 3, blobBytes: 4500 });
  const asked = await Promise.all(Array.from({ length: 20 }, stock));
  expect(asked).toEqual(asked.map(() => ({ blobs: 3, blobBytes: 4500 })));
});
