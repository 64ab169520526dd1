import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleSource, downloadFile, uploadBundle } from "@kindling/staging-client";
import { hasHdfs, startHdfs } from "@kindling/test-kit/one-node-hdfs";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, sample } from "../../../src/testing/random-bytes.ts";
import { hdfsSettings, hdfsStorage } from "../../support/hdfs-storage.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { testServer, TEST_OWNER } from "../../support/test-server.ts";

describe.skipIf(!hasHdfs)("a real name node and data node (see the test kit's servers)", () => {
  let folder = "";
  let server: RealServer | undefined;
  const endpoints = (): string[] => [server?.endpoint ?? ""];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdfs-"));
    server = await startHdfs(folder);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(blobStoreConformance)(
    "blobs: $name",
    async (one) => {
      const { store } = await hdfsStorage(endpoints());
      await expect(one.run(store)).resolves.toBeUndefined();
    },
    60_000,
  );

  it.each(documentStoreConformance)(
    "documents: $name",
    async (one) => {
      const { documents } = await hdfsStorage(endpoints());
      await expect(one.run(documents)).resolves.toBeUndefined();
    },
    60_000,
  );

  it("serves a whole staging server", async () => {
    const staging = await testServer(hdfsSettings(endpoints(), { "store.webhdfs.path": "/whole" }));
    const place = scratchFolder().path;
    const { bytes } = sample(13 * MIB);
    await writeFile(join(place, "a.jar"), bytes);
    const client = staging.client();
    const files = [{ path: join(place, "a.jar"), name: "a.jar", kind: "jar" }];
    const bundle = await uploadBundle(client, { files, owner: TEST_OWNER });
    const target = join(place, "out");
    const source = bundleSource(client.connection, { bundleId: bundle.bundleId, secret: bundle.secret, name: "a.jar" });
    await downloadFile({ source, target, digest: bundle.files[0]?.digest, size: bytes.length });
    expect((await readFile(target)).equals(bytes)).toBe(true);
    const again = await uploadBundle(client, { files, owner: TEST_OWNER });
    expect(again.progress).toMatchObject({ filesSkipped: 1, bytesSent: 0 });
  }, 60_000);
});
