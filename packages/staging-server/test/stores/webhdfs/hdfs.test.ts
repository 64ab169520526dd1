import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasHdfs, startHdfs } from "@kindling/test-kit/one-node-hdfs";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { hdfsSettings, hdfsStorage } from "../../support/hdfs-storage.ts";
import { servesFiles } from "../../support/serves-files.ts";
import { testServer } from "../../support/test-server.ts";

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
    await expect(servesFiles(staging)).resolves.toBeUndefined();
  }, 60_000);
});
