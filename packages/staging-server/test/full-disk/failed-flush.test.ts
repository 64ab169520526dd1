import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { faultyDiskServer, type FaultyDiskServer } from "../support/faulty-disk-server.ts";
import type { Answer } from "../support/http-call.ts";
import { manifestOf, sample, type Sample } from "../support/stage.ts";
import { jsonCall, TEST_OWNER } from "../support/test-server.ts";

async function openLease(server: FaultyDiskServer): Promise<string> {
  const answer = await server.call("api/v1/leases", jsonCall({ namespace: "default" }));
  return (answer.json as { leaseId: string }).leaseId;
}

async function put(server: FaultyDiskServer, lease: string, { digest, bytes }: Sample): Promise<number> {
  return (await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes })).status;
}

function commit(server: FaultyDiskServer, lease: string, one: Sample): Promise<Answer> {
  return server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ a: one }) }));
}

// After such a failure the kernel may count the bytes as written: another flush succeeds, although they are not on disk.
it("asks for a file again that could not be flushed, however well it can be read", async () => {
  const server = await faultyDiskServer({ "store.path": scratchFolder().path, "lifecycle.interval": 3600 });
  const lease = await openLease(server);
  const one = sample(1000);
  await server.arm({ call: "datasync", code: "EIO" });
  expect(await put(server, lease, one)).toBe(201);
  await expect.poll(async () => (await server.calls()).pending).toBe(false);
  const refused = await commit(server, lease, one);
  expect([422, 503]).toContain(refused.status);
  const again = await commit(server, lease, one);
  expect(again.status).toBe(422);
  expect(again.json).toMatchObject({ missing: [one.digest] });
  expect(await put(server, lease, one)).toBe(201);
  expect((await commit(server, lease, one)).status).toBe(201);
});
