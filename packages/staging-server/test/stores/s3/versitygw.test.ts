import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleSource, downloadFile, uploadBundle } from "@kindling/staging-client";
import { FAKE_BUCKET } from "@kindling/test-kit/fake-s3";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { hasVersitygw, startVersitygw } from "@kindling/test-kit/versitygw";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, sample, store } from "../../../src/testing/random-bytes.ts";
import { s3Settings, s3Storage, S3_ENV } from "../../support/s3-storage.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { testServer, TEST_OWNER } from "../../support/test-server.ts";

describe.skipIf(!hasVersitygw)("a real S3 server (versitygw; see the test kit's servers)", () => {
  let folder = "";
  let server: RealServer | undefined;
  const endpoint = (): string => server?.endpoint ?? "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "versitygw-"));
    server = await startVersitygw(folder, FAKE_BUCKET, S3_ENV);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(blobStoreConformance)(
    "blobs: $name",
    async (one) => {
      const { store: blobs } = await s3Storage(endpoint());
      await expect(one.run(blobs)).resolves.toBeUndefined();
    },
    60_000,
  );

  it.each(documentStoreConformance)(
    "documents: $name",
    async (one) => {
      const { documents } = await s3Storage(endpoint());
      await expect(one.run(documents)).resolves.toBeUndefined();
    },
    60_000,
  );

  it("gives a presigned URL that opens a blob, and no other", async () => {
    const { store: blobs } = await s3Storage(endpoint());
    const one = sample(6 * MIB);
    await store(blobs, "presigned", one);
    const url = (await blobs.presign?.(one.digest, { expiresIn: 60 })) ?? "";
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(one.bytes)).toBe(true);
    expect((await fetch(withWrongSignature(url))).status).toBe(403);
  });

  it("serves a whole staging server, whose clients it sends the bytes itself", async () => {
    const staging = await testServer(s3Settings(endpoint(), { "store.s3.prefix": "whole" }), {
      env: S3_ENV,
      connectCluster: noCluster,
    });
    const place = scratchFolder().path;
    const { bytes } = sample(13 * MIB);
    await writeFile(join(place, "a.jar"), bytes);
    const client = staging.client();
    const files = [{ path: join(place, "a.jar"), name: "a.jar", kind: "jar" }];
    const bundle = await uploadBundle(client, { files, owner: TEST_OWNER });
    for (const redirectHosts of [[], [new URL(endpoint()).host]]) {
      const target = join(place, `out${redirectHosts.length}`);
      const source = bundleSource(client.connection, {
        bundleId: bundle.bundleId,
        secret: bundle.secret,
        name: "a.jar",
        redirectHosts,
      });
      await downloadFile({ source, target, digest: bundle.files[0]?.digest, size: bytes.length });
      expect((await readFile(target)).equals(bytes)).toBe(true);
    }
    const again = await uploadBundle(client, { files, owner: TEST_OWNER });
    expect(again.progress).toMatchObject({ filesSkipped: 1, bytesSent: 0 });
  });
});

function noCluster(): Promise<never> {
  return Promise.reject(new Error("this test has no cluster"));
}

/** The first two digits of the signature are others: whatever they were, it is wrong now. */
function withWrongSignature(url: string): string {
  return url.replace(/(?<=Signature=)../, (digits) => (digits === "00" ? "11" : "00"));
}
