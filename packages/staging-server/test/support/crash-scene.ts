import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import {
  bundleSource,
  digestOf,
  downloadFile,
  type StagingClient,
  type UploadedBundle,
} from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { sample } from "./stage.ts";

/** Expects that every blob in the store has the digest in its name. */
export async function expectOnlyVerified(data: string): Promise<void> {
  for (const folder of await readdir(join(data, "blobs"))) {
    for (const name of await readdir(join(data, "blobs", folder))) {
      const bytes = await readFile(join(data, "blobs", folder, name));
      expect(digestOf(bytes)).toBe(`sha256:${folder}${name}`);
    }
  }
}

export async function localFiles(sizes: Readonly<Record<string, number>>) {
  const folder = scratchFolder().path;
  return await Promise.all(
    Object.entries(sizes).map(async ([name, size]) => {
      const { bytes } = sample(size);
      await writeFile(join(folder, name), bytes);
      return { path: join(folder, name), name, kind: "file", bytes };
    }),
  );
}

export type LocalFile = Awaited<ReturnType<typeof localFiles>>[number];

export async function expectDownloads(
  client: StagingClient,
  bundle: UploadedBundle,
  files: readonly LocalFile[],
): Promise<void> {
  const folder = scratchFolder().path;
  for (const { name, bytes } of files) {
    const target = join(folder, name);
    const entry = bundle.files.find((file) => file.name === name);
    const source = bundleSource(client.connection, { bundleId: bundle.bundleId, secret: bundle.secret, name });
    await downloadFile({
      source,
      target,
      digest: entry?.digest,
      size: entry?.size,
      retry: { baseMs: 20, capMs: 200, attempts: 1000 },
    });
    expect((await readFile(target)).equals(bytes)).toBe(true);
  }
}

export const CRASH_SETTINGS: Partial<ServerConfig> = {
  "limits.oneShotBytes": 100_000,
  "lifecycle.blobGrace": 0,
  "lifecycle.unusedTtl": 3600,
};
