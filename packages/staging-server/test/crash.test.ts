import { readdir, readFile } from "node:fs/promises";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  bundleSource,
  connectStaging,
  digestOf,
  downloadFile,
  uploadBundle,
  type StagingClient,
  type UploadedBundle,
} from "@kindling/staging-client";
import type { ServerConfig } from "../src/config/server-config.ts";
import { DISK_STEPS, type DiskStep } from "../src/stores/local-disk/steps.ts";
import { serverProcess, type ServerProcess } from "./support/server-process.ts";
import { MIB, sample } from "./support/stage.ts";
import { tempFolder } from "./support/temp-folder.ts";
import { testServer, TEST_OWNER } from "./support/test-server.ts";

/** Every blob that the store shows has the bytes that its name says. */
async function expectOnlyVerified(data: string): Promise<void> {
  for (const folder of await readdir(join(data, "blobs"))) {
    for (const name of await readdir(join(data, "blobs", folder))) {
      const bytes = await readFile(join(data, "blobs", folder, name));
      expect(digestOf(bytes)).toBe(`sha256:${folder}${name}`);
    }
  }
}

async function localFiles(sizes: Readonly<Record<string, number>>) {
  const folder = await tempFolder();
  return await Promise.all(
    Object.entries(sizes).map(async ([name, size]) => {
      const { bytes } = sample(size);
      await writeFile(join(folder, name), bytes);
      return { path: join(folder, name), name, kind: "file", bytes };
    }),
  );
}

type LocalFile = Awaited<ReturnType<typeof localFiles>>[number];

async function expectDownloads(
  client: StagingClient,
  bundle: UploadedBundle,
  files: readonly LocalFile[],
): Promise<void> {
  const folder = await tempFolder();
  for (const { name, bytes } of files) {
    const target = join(folder, name);
    const entry = bundle.files.find((file) => file.name === name);
    const source = bundleSource(client.connection, { bundleId: bundle.bundleId, secret: bundle.secret, name });
    await downloadFile({
      source,
      target,
      digest: entry?.digest,
      size: entry?.size,
      retry: { baseMs: 20, capMs: 200, attempts: 50 },
    });
    expect((await readFile(target)).equals(bytes)).toBe(true);
  }
}

const SETTINGS: Partial<ServerConfig> = {
  "limits.oneShotBytes": 100_000,
  "lifecycle.blobGrace": 0,
  "lifecycle.unusedTtl": 3600,
};

/** Everything that a server does with its disk: uploads of both kinds, a commit, a deletion, a collection. */
async function flow(
  client: StagingClient,
  files: readonly LocalFile[],
  acknowledged: (bundle: UploadedBundle) => void,
): Promise<void> {
  const bundle = await uploadBundle(client, { files, owner: TEST_OWNER, concurrency: 2 });
  acknowledged(bundle);
  const other = await uploadBundle(client, { files: files.slice(0, 1), owner: TEST_OWNER });
  await client.deleteBundle(other.bundleId);
  const more = await localFiles({ dropped: 1000 });
  await client.deleteBundle((await uploadBundle(client, { files: more, owner: TEST_OWNER })).bundleId);
  await client.collect();
  await client.collect();
}

const CRASHES = DISK_STEPS.flatMap((step): [DiskStep, number][] => {
  const often = step.startsWith("document") && step !== "document-delete";
  return (often ? [1, 4, 9] : [1, 2]).map((times) => [step, times]);
});

it.each(CRASHES)("loses nothing when it is killed before %s, time %i", async (step, times) => {
  const data = await tempFolder();
  const files = await localFiles({ small: 5000, large: 2 * MIB, empty: 0 });
  const crashing = await serverProcess({ ...SETTINGS, "store.path": data }, { step, times });
  const impatient = connectStaging({ uri: crashing.uri, retry: { attempts: 1 } });
  const kept: UploadedBundle[] = [];
  await flow(impatient, files, (bundle) => kept.push(bundle)).catch(() => undefined);
  impatient.close();
  await crashing.kill();

  await expectOnlyVerified(data);
  const server = await testServer({ ...SETTINGS, "store.path": data });
  const client = server.client();
  for (const bundle of kept) await expectDownloads(client, bundle, files);
  await flow(client, files, (bundle) => kept.push(bundle));
  for (const bundle of kept) await expectDownloads(client, bundle, files);
  await expectOnlyVerified(data);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

it("loses nothing and shows nothing unverified, killed again and again during 200 uploads and downloads", async () => {
  const settings = { ...SETTINGS, "store.path": await tempFolder(), "listen.port": await freePort() };
  let current: ServerProcess = await serverProcess(settings);
  let done = 0;
  let kills = 0;
  const finished: { bundle: UploadedBundle; files: readonly LocalFile[] }[] = [];
  const client = connectStaging({
    uri: current.uri,
    maxConnections: 16,
    retry: { attempts: 100, baseMs: 20, capMs: 200 },
  });
  const pool = await Promise.all(
    Array.from({ length: 8 }, (_, index) => localFiles({ [`f${index}`]: 20_000 * (index + 1) ** 2 })),
  );

  async function worker(number: number): Promise<void> {
    for (let round = 0; round < 50; round++) {
      const fresh = await localFiles({ [`w${number}-${round}`]: 1000 + ((number * 7919 + round * 104_729) % 300_000) });
      const files = [...fresh, ...(pool[round % pool.length] ?? [])];
      const bundle = await uploadBundle(client, { files, owner: TEST_OWNER });
      await expectDownloads(client, bundle, files);
      finished.push({ bundle, files });
      done++;
    }
  }

  async function killer(): Promise<void> {
    while (done < 200) {
      const until = done + 6 + ((kills * 7) % 13);
      while (done < Math.min(until, 200)) await new Promise((resolve) => setTimeout(resolve, 5));
      await current.kill();
      kills++;
      current = await serverProcess(settings);
    }
  }

  await Promise.all([worker(1), worker(2), worker(3), worker(4), killer()]);
  expect(kills).toBeGreaterThan(10);
  await expectOnlyVerified(settings["store.path"]);
  for (const { bundle, files } of finished) await expectDownloads(client, bundle, files);
  client.close();
}, 120_000);
