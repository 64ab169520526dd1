import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemOutside } from "@kindling/outside";
import { load } from "@kindling/service/settings";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { FAKE_BUCKET, fakeS3 } from "@kindling/test-kit/fake-s3";
import { onTestFinished } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { ARCHIVE_KEYS, type ArchiveSettings } from "../../src/archive/archive-settings.ts";
import { openArchive } from "../../src/archive/open-archive.ts";

/** A folder that is gone after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-recorder-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An archive in a folder of its own. */
export async function folderArchive(): Promise<Archive> {
  return await opened({ "store.path": await testFolder() });
}

/** Opens an archive of each kind of store, in a store of its own. */
export const ARCHIVES: Readonly<Record<string, () => Promise<Archive>>> = {
  "a folder": folderArchive,
  S3: async () => {
    const { endpoint } = await fakeS3();
    const credentials = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "hidden-secret" };
    return await opened(
      { "store.kind": "s3", "store.s3.endpoint": endpoint, "store.s3.bucket": FAKE_BUCKET, "store.s3.prefix": "kept/" },
      credentials,
    );
  },
  HDFS: async () => {
    const { endpoint } = await fakeHdfs();
    return await opened({ "store.kind": "webhdfs", "store.webhdfs.endpoints": endpoint });
  },
};

function opened(
  written: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Archive> {
  return archiveOf(
    Object.entries(written).flatMap(([key, value]) => [flagOf(key), value]),
    env,
  );
}

/** Opens the archive that flags of the recorder name. */
export async function archiveOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Archive> {
  const program = {
    name: "kindling-recorder",
    summary: "",
    prefix: "KINDLING_RECORDER",
    settings: ARCHIVE_KEYS,
    examples: [],
  };
  const settings = load<ArchiveSettings>(program, { args: [...args], env: {}, readFile: () => "" });
  const archive = await openArchive(settings, { ...systemOutside(), env });
  onTestFinished(() => archive.close());
  return archive;
}

function flagOf(key: string): string {
  return `--${key.replaceAll(".", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
