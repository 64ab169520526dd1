import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { bundleSource, downloadFile, uploadBundle } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { MIB, sample } from "../../src/testing/random-bytes.ts";
import { TEST_OWNER, type TestServer } from "./test-server.ts";

/** Uploads a file of several parts to a server, downloads it, and uploads it again, which sends no bytes. */
export async function servesFiles(staging: TestServer): Promise<void> {
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
}
