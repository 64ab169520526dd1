import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasFakeGcsServer, startFakeGcsServer } from "@kindling/test-kit/fake-gcs-server";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import type { ServerConfig } from "../../../src/config/server-config.ts";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, readAll, sample, store, writeAll } from "../../../src/testing/random-bytes.ts";
import { openedStorage } from "../../support/opened-storage.ts";
import { servesFiles } from "../../support/serves-files.ts";
import { testServer } from "../../support/test-server.ts";

describe.skipIf(!hasFakeGcsServer)(
  "an emulator of Google Cloud Storage (fake-gcs-server; see the test kit's servers)",
  () => {
    let server: RealServer | undefined;

    function settings(prefix = "some/where", bucket = "jobs"): Partial<ServerConfig> & { "store.kind": "gcs" } {
      return {
        "store.kind": "gcs",
        "store.gcs.uri": `gs://${bucket}/${prefix}`,
        "store.gcs.endpoint": server?.endpoint,
        "store.gcs.partSize": 5 * MIB,
      };
    }

    beforeAll(async () => {
      server = await startFakeGcsServer("jobs");
    }, START_LIMIT_MS);
    afterAll(() => server?.stop());

    it.each(blobStoreConformance)(
      "blobs: $name",
      async (one) => {
        const { store: blobs } = await openedStorage(settings());
        await expect(one.run(blobs)).resolves.toBeUndefined();
      },
      60_000,
    );

    it.each(documentStoreConformance)(
      "documents: $name",
      async (one) => {
        const { documents } = await openedStorage(settings());
        await expect(one.run(documents)).resolves.toBeUndefined();
      },
      60_000,
    );

    async function objects(prefix: string): Promise<readonly string[]> {
      const response = await fetch(`${server?.endpoint}/storage/v1/b/jobs/o?prefix=${encodeURIComponent(prefix)}`);
      const { items = [] } = (await response.json()) as { readonly items?: readonly { readonly name: string }[] };
      return items.map(({ name }) => name);
    }

    it("keeps no part of an upload that is complete, and none of one that was dropped", async () => {
      const { store: blobs } = await openedStorage({ ...settings("parts"), "store.gcs.partSize": MIB });
      // More parts than one request can compose.
      const one = sample(35 * MIB + 1);
      const ingest = await blobs.begin({ id: "one", size: one.bytes.length });
      await writeAll(ingest, one.bytes);
      const sealed = await ingest.seal();
      expect(await objects("parts/data/")).toEqual(["parts/data/one"]);
      expect((await readAll(await sealed.read())).equals(one.bytes)).toBe(true);
      await sealed.publish(one.digest);
      const aborted = await blobs.begin({ id: "two", size: one.bytes.length });
      await writeAll(aborted, sample(11 * MIB).bytes);
      expect((await objects("parts/data/two/")).length).toBeGreaterThan(3);
      await aborted.abort();
      await blobs.delete(one.digest);
      expect(await objects("parts/data/")).toEqual([]);
      expect(await objects("parts/blobs/")).toEqual([]);
    }, 60_000);

    it("records how far an upload is once a second at most, because an object takes one write a second", async () => {
      const { store: blobs } = await openedStorage({ ...settings("rate"), "store.gcs.partSize": MIB });
      let records = 0;
      const onState = (): Promise<void> => {
        records++;
        return Promise.resolve();
      };
      const begun = performance.now();
      const ingest = await blobs.begin({ id: "one", size: 12 * MIB, onState });
      await writeAll(ingest, sample(12 * MIB).bytes);
      await ingest.abort();
      expect(records).toBeGreaterThanOrEqual(1);
      expect(records).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1000);
    });

    it("serves a whole staging server, also in the whole bucket", async () => {
      await expect(servesFiles(await testServer(settings(""), { connectCluster: noCluster }))).resolves.toBeUndefined();
    }, 60_000);

    it("says that a bucket is not there", async () => {
      await expect(openedStorage(settings("x", "other"))).rejects.toMatchObject({
        code: "CONF_INVALID",
        message: expect.stringContaining("the bucket other at") as string,
      });
    });

    it("stores the same bytes once", async () => {
      const { store: blobs } = await openedStorage(settings("twice"));
      const one = sample(6 * MIB);
      await store(blobs, "a", one);
      expect(await store(blobs, "b", one)).toBe("existed");
      expect(await objects("twice/data/")).toEqual(["twice/data/a"]);
    });
  },
);

function noCluster(): Promise<never> {
  return Promise.reject(new Error("this test has no cluster"));
}
