import { ManualClock } from "@kindling/outside";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { blobService } from "../../src/blobs/blobs.ts";
import { bundleIndex } from "../../src/bundles/bundle-index.ts";
import { collectBlobs } from "../../src/lifecycle/collect-blobs.ts";
import { condemnedBlobs } from "../../src/lifecycle/condemned-blobs.ts";
import { replicaReaders } from "../../src/replicas/replica-readers.ts";
import { bundleStore } from "../../src/metadata/bundles.ts";
import { leaseStore } from "../../src/metadata/leases.ts";
import { serviceClock } from "../../src/metadata/service-clock.ts";
import { openLayout } from "../../src/stores/local-disk/layout.ts";
import { localDiskStore } from "../../src/stores/local-disk/local-disk-store.ts";
import { localDocuments } from "../../src/stores/local-disk/local-documents.ts";
import { sample, store } from "../../src/testing/random-bytes.ts";

async function scene() {
  const layout = await openLayout(scratchFolder().path);
  // As if other servers used the same documents.
  const documents = { ...(await localDocuments(layout.meta)), shared: true };
  const timer = new ManualClock();
  const clock = await serviceClock(documents, timer);
  const disk = localDiskStore({ layout });
  const blobs = blobService(disk, documents, timer);
  const leases = leaseStore(documents, clock);
  const bundles = bundleStore(documents);
  const collect = () =>
    collectBlobs(
      {
        blobs,
        condemned: condemnedBlobs(documents),
        bundles,
        clock,
        leases,
        index: bundleIndex(bundles),
        readers: replicaReaders(documents, "r", () => blobs.reading(), clock),
        graceSeconds: 600,
        inCharge: () => true,
        onDeleted: () => undefined,
      },
      false,
    );
  return { disk, blobs, leases, timer, collect };
}

it("takes a blob that is being deleted for absent, and publishes it again only afterwards", async () => {
  const { disk, blobs, timer } = await scene();
  const one = sample(1000);
  await store(disk, "a", one);
  await blobs.deletions.set([one.digest]);
  expect(await blobs.find(one.digest)).toBeUndefined();
  expect((await blobs.findAll([one.digest])).size).toBe(0);

  const ingest = await disk.begin({ id: "b", size: 1000 });
  await ingest.write([one.bytes]);
  let published = false;
  const publishing = blobs.publish(await ingest.seal(), one.digest).then(() => (published = true));
  await timer.advance(1000);
  expect(published).toBe(false);
  await disk.delete(one.digest);
  await blobs.deletions.set([]);
  await timer.advance(1000);
  await publishing;
  expect(await blobs.find(one.digest)).toBe(1000);
  await disk.close();
});

it("finishes deletions that another process began, and spares what is in use by now", async () => {
  const { disk, blobs, leases, collect } = await scene();
  const [wanted, unwanted] = [sample(10), sample(20)];
  for (const one of [wanted, unwanted]) await store(disk, `i${one.bytes.length}`, one);
  const lease = await leases.open("default", "me", 900);
  await leases.pin(lease.id, [wanted.digest]);
  await blobs.deletions.set([wanted.digest, unwanted.digest]);
  await collect();
  expect(await blobs.find(wanted.digest)).toBe(10);
  expect(await blobs.find(unwanted.digest)).toBeUndefined();
  expect((await blobs.deletions.current()).size).toBe(0);
  await disk.close();
});
