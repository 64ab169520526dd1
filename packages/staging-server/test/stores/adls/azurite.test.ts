import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AZURITE_ACCOUNT, AZURITE_KEY, hasAzurite, startAzurite } from "@kindling/test-kit/azurite";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import type { ServerConfig } from "../../../src/config/server-config.ts";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, sample, store, writeAll } from "../../../src/testing/random-bytes.ts";
import { openedStorage } from "../../support/opened-storage.ts";
import { servesFiles } from "../../support/serves-files.ts";
import { testServer } from "../../support/test-server.ts";

const ENV = { AZURE_STORAGE_KEY: AZURITE_KEY };

describe.skipIf(!hasAzurite)("an emulator of Azure's Blob service (Azurite; see the test kit's servers)", () => {
  let folder = "";
  let server: RealServer | undefined;

  function settings(path = "some/where", container = "jobs"): Partial<ServerConfig> & { "store.kind": "adls" } {
    return {
      "store.kind": "adls",
      "store.adls.uri": `abfss://${container}@${AZURITE_ACCOUNT}.dfs.core.windows.net/${path}`,
      "store.adls.endpoint": server?.endpoint,
      "store.adls.partSize": 5 * MIB,
    };
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "azurite-"));
    server = await startAzurite(folder, "jobs");
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(blobStoreConformance)(
    "blobs: $name",
    async (one) => {
      const { store: blobs } = await openedStorage(settings(), ENV);
      await expect(one.run(blobs)).resolves.toBeUndefined();
    },
    60_000,
  );

  it.each(documentStoreConformance)(
    "documents: $name",
    async (one) => {
      const { documents } = await openedStorage(settings(), ENV);
      await expect(one.run(documents)).resolves.toBeUndefined();
    },
    60_000,
  );

  it("shows a large blob only when all of it is there and verified, and keeps nothing of what was dropped", async () => {
    const { store: blobs } = await openedStorage(settings("dropped"), ENV);
    const one = sample(11 * MIB);
    const ingest = await blobs.begin({ id: "one", size: one.bytes.length });
    await writeAll(ingest, one.bytes);
    await (await ingest.seal()).discard();
    expect(await blobs.stat(one.digest)).toBeUndefined();
    expect(await store(blobs, "two", one)).toBe("created");
    const listed: unknown[] = [];
    for await (const { digest } of blobs.list()) listed.push(digest);
    expect(listed).toEqual([one.digest]);
  });

  it("serves a whole staging server, also at the container's root", async () => {
    await expect(
      servesFiles(await testServer(settings(""), { env: ENV, connectCluster: noCluster })),
    ).resolves.toBeUndefined();
  }, 60_000);

  it("says what is wrong with a container that is not there, and with a wrong key", async () => {
    await expect(openedStorage(settings("x", "other"), ENV)).rejects.toMatchObject({
      code: "CONF_INVALID",
      message: expect.stringContaining("ContainerNotFound") as string,
      hint: expect.stringContaining("make the container other") as string,
    });
    const wrong = { AZURE_STORAGE_KEY: Buffer.from("another key").toString("base64") };
    const refused = openedStorage(settings(), wrong);
    await expect(refused).rejects.toMatchObject({
      code: "CONF_INVALID",
      message: expect.stringContaining("AuthorizationFailure") as string,
    });
    await expect(refused).rejects.not.toThrow(new RegExp(wrong.AZURE_STORAGE_KEY));
  });
});

function noCluster(): Promise<never> {
  return Promise.reject(new Error("this test has no cluster"));
}
