import { createServer, type AddressInfo } from "node:net";
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
import { tempFolder } from "./support/temp-folder.ts";
import { TEST_OWNER } from "./support/test-server.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

it("loses nothing and shows nothing unverified, killed again and again during 200 uploads and downloads", async () => {
  const settings = { ...CRASH_SETTINGS, "store.path": await tempFolder(), "listen.port": await freePort() };
  let current: ServerProcess = await serverProcess(settings);
  const progress = { done: 0 };
  let kills = 0;
  const finished: { bundle: UploadedBundle; files: readonly LocalFile[] }[] = [];
  const client = connectStaging({
    uri: current.uri,
    maxConnections: 16,
    retry: { attempts: 100, baseMs: 20, capMs: 200 },
  });
  const pool = await Promise.all(
    Array.from({ length: 8 }, (_, index) => localFiles({ [`f${index}`]: 5000 * (index + 1) ** 2 })),
  );

  async function worker(number: number): Promise<void> {
    for (let round = 0; round < 50; round++) {
      const fresh = await localFiles({ [`w${number}-${round}`]: 1000 + ((number * 7919 + round * 104_729) % 300_000) });
      const files = [...fresh, ...(pool[round % pool.length] ?? [])];
      const bundle = await uploadBundle(client, { files, owner: TEST_OWNER });
      await expectDownloads(client, bundle, files);
      finished.push({ bundle, files });
      progress.done++;
    }
  }

  async function killer(): Promise<void> {
    while (progress.done < 200) {
      const until = progress.done + 6 + ((kills * 7) % 13);
      while (progress.done < Math.min(until, 200)) await new Promise((resolve) => setTimeout(resolve, 5));
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
