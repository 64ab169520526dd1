import { ManualClock } from "@kindling/outside";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { capacity } from "../../src/ledger/capacity.ts";
import { ledger } from "../../src/ledger/ledger.ts";
import { forgetUnheld } from "../../src/lifecycle/uncommitted-blobs.ts";
import { leaseStore } from "../../src/metadata/leases.ts";
import { serviceClock } from "../../src/metadata/service-clock.ts";
import { localDocuments } from "../../src/stores/local-disk/local-documents.ts";
import { sample } from "../../src/testing/random-bytes.ts";
import { clusteredServer, collect, MINUTES } from "../support/clustered-server.ts";
import { putBlob, stage } from "../support/stage.ts";
import { openLease, problemOf, type TestServer } from "../support/test-server.ts";

const KIB = 1024;

async function stageAndDelete(server: TestServer): Promise<void> {
  const bundle = await stage(server, { a: 700 * KIB });
  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
}

it("has deleted bundles make room at once, but not for more and more files that are still to be collected", async () => {
  const { server, clock } = await clusteredServer({ "quota.default": 1000 * KIB, "lifecycle.blobGrace": 600 });
  await stageAndDelete(server);
  await stageAndDelete(server);
  const lease = await openLease(server);
  const { digest, bytes } = sample(700 * KIB);
  const path = `api/v1/blobs/${digest}?lease=${lease}`;
  const refused = await server.call(path, { method: "PUT", body: bytes });
  expect([refused.status, problemOf(refused)]).toEqual([507, "quota-exceeded"]);
  expect((refused.json as { detail: string }).detail).toMatch(/bytes of deleted bundles are freed first/);
  expect(await putBlob(server, lease, sample(300 * KIB))).toBe(201);

  await collect(server);
  await clock.advance(11 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsDeleted: 2 });
  expect(await putBlob(server, await openLease(server), sample(600 * KIB))).toBe(201);
});

it("no longer counts the leases that another server has closed", async () => {
  const documents = { ...(await localDocuments(scratchFolder().path)), shared: true };
  const clock = await serviceClock(documents, new ManualClock());
  const book = ledger();
  const [one, two] = [leaseStore(documents, clock, { book, mostDigests: 10 }), leaseStore(documents, clock)];
  const [closed, open] = [await one.open("team-a", "alice", 60), await one.open("team-a", "alice", 60)];
  await one.hold(closed.id, [sample(10).digest]);
  await two.close(closed.id);
  await one.countOthers();
  // Counted twice, since a lease that this server is just opening may not be listed yet.
  await one.countOthers();
  expect(book.of("team-a")).toMatchObject({ leases: 1, disk: 4096 });
  expect(await one.use(open.id)).toMatchObject({ namespace: "team-a" });
});

it("no longer counts a file as uploaded that another server has made a bundle of, or deleted", async () => {
  const [clock, book] = [new ManualClock(), ledger()];
  const store = { freeBytes: () => Promise.resolve(undefined) };
  const nothing = { ledger: book, sizeOf: () => undefined, hasQuota: () => true, minFreeBytes: 0 };
  const room = capacity({ ...nothing, store, clock });
  const [committed, deleted] = [sample(10).digest, sample(20).digest];
  for (const digest of [committed, deleted]) room.noteUncommitted("team-a", digest, 10);
  const files = { bundles: 1, bytes: 10, has: (digest: string) => digest === committed, sizeOf: () => 10 };
  const index = { namespaces: () => new Map([["team-a", files]]), digests: () => [committed] };
  const forget = (): void =>
    forgetUnheld({ leases: { heldBy: () => new Map() }, index, capacity: room, staySeconds: 60 });
  forget();
  expect(book.of("team-a").disk).toBe(4096);
  expect(room.isUncommitted("team-a", deleted)).toBe(true);
  await clock.advance(61_000);
  forget();
  expect(book.of("team-a").disk).toBe(0);
});
