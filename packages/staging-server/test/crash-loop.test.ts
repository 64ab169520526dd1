import { expect, it } from "vitest";
import { connectStaging, uploadBundle, type UploadedBundle } from "@kindling/staging-client";
import {
  CRASH_SETTINGS,
  expectDownloads,
  expectOnlyVerified,
  localFiles,
  type LocalFile,
} from "./support/crash-scene.ts";
import { serverProcess, type ServerProcess } from "./support/server-process.ts";
import { TEST_OWNER } from "./support/test-server.ts";
import { freePort } from "@kindling/test-kit/free-port";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { ALL_ROUNDS } from "@kindling/test-kit/rounds";

// KINDLING_ROUNDS=all runs all of the required 200 uploads and 200 downloads.
const ROUNDS = ALL_ROUNDS ? 50 : 8;
const WORKERS = 4;
const TOTAL = ROUNDS * WORKERS;

/** A reader that checks no digest: the bytes that it gets before a cut must be the beginning of the file. */
async function expectOnlyItsBytes(uri: string, { bundleId, secret }: UploadedBundle, file: LocalFile): Promise<number> {
  const url = new URL(`api/v1/bundles/${bundleId}/files/${file.name}`, uri);
  let received = 0;
  try {
    const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${secret}` } });
    // A restarted server either serves its bundles or does not answer at all.
    expect(status).toBe(200);
    for await (const chunk of body ?? []) {
      expect(file.bytes.subarray(received, received + chunk.length).equals(chunk)).toBe(true);
      received += chunk.length;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return received;
}

it(`loses nothing and shows nothing unverified, killed again and again during ${TOTAL} uploads and downloads`, async () => {
  const settings = { ...CRASH_SETTINGS, "store.path": scratchFolder().path, "listen.port": await freePort() };
  let current: ServerProcess = await serverProcess(settings);
  const { uri } = current;
  const progress = { done: 0 };
  let kills = 0;
  let served = 0;
  const finished: { bundle: UploadedBundle; files: readonly LocalFile[] }[] = [];
  const client = connectStaging({ uri, maxConnections: 16, retry: { attempts: 1000, baseMs: 20, capMs: 200 } });
  const pool = await Promise.all(
    Array.from({ length: 8 }, (_, index) => localFiles({ [`f${index}`]: 5000 * (index + 1) ** 2 })),
  );

  async function worker(number: number): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = await localFiles({ [`w${number}-${round}`]: 1000 + ((number * 7919 + round * 104_729) % 300_000) });
      const files = [...fresh, ...(pool[round % pool.length] ?? [])];
      const bundle = await uploadBundle(client, { files, owner: TEST_OWNER });
      finished.push({ bundle, files });
      for (const file of files) served += await expectOnlyItsBytes(uri, bundle, file);
      await expectDownloads(client, bundle, files);
      progress.done++;
    }
  }

  async function killer(): Promise<void> {
    while (progress.done < TOTAL) {
      const until = progress.done + 1 + ((kills * 5) % 7);
      while (progress.done < Math.min(until, TOTAL)) await new Promise((resolve) => setTimeout(resolve, 5));
      await current.kill();
      kills++;
      current = await serverProcess(settings);
    }
  }

  await Promise.all([...Array.from({ length: WORKERS }, (_, index) => worker(index + 1)), killer()]);
  expect(kills).toBeGreaterThan(TOTAL / 10);
  expect(served).toBeGreaterThan(0);
  await expectOnlyVerified(settings["store.path"]);
  for (const { bundle, files } of finished) await expectDownloads(client, bundle, files);
  client.close();
  if (ROUNDS > 8) process.stdout.write(`${TOTAL} uploads and downloads, ${kills} kills, ${served} bytes read raw\n`);
}, 300_000);
