import { expect, it } from "vitest";
import { connectStaging, uploadBundle, type StagingClient, type UploadedBundle } from "@kindling/staging-client";
import { someRounds } from "@kindling/test-kit/rounds";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { DISK_STEPS, type DiskStep } from "../src/stores/local-disk/steps.ts";
import {
  CRASH_SETTINGS,
  expectDownloads,
  expectOnlyVerified,
  localFiles,
  type LocalFile,
} from "./support/crash-scene.ts";
import { serverProcess } from "./support/server-process.ts";
import { MIB } from "./support/stage.ts";
import { testServer, TEST_OWNER } from "./support/test-server.ts";

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
  const more = await localFiles({ dropped: 1000, "also-dropped": 1001 });
  await client.deleteBundle((await uploadBundle(client, { files: more, owner: TEST_OWNER })).bundleId);
  await client.collect();
  await client.collect();
}

const CRASHES = DISK_STEPS.flatMap((step): [DiskStep, number][] => {
  const often = step.startsWith("document") && step !== "document-delete";
  return someRounds(step, often ? [1, 4, 9] : [1, 2]).map((times) => [step, times]);
});

it.each(CRASHES)("loses nothing when it is killed before %s, time %i", async (step, times) => {
  const data = scratchFolder().path;
  const files = await localFiles({ small: 5000, large: 2 * MIB, empty: 0 });
  const crashing = await serverProcess({ ...CRASH_SETTINGS, "store.path": data }, { step, times });
  const impatient = connectStaging({ uri: crashing.uri, retry: { attempts: 1 } });
  const kept: UploadedBundle[] = [];
  await flow(impatient, files, (bundle) => kept.push(bundle)).catch(() => undefined);
  impatient.close();
  await expect.poll(() => crashing.isRunning(), { timeout: 5000 }).toBe(false);

  await expectOnlyVerified(data);
  const server = await testServer({ ...CRASH_SETTINGS, "store.path": data });
  const client = server.client();
  for (const bundle of kept) await expectDownloads(client, bundle, files);
  await flow(client, files, (bundle) => kept.push(bundle));
  for (const bundle of kept) await expectDownloads(client, bundle, files);
  await expectOnlyVerified(data);
  expect(kept.length).toBeGreaterThan(0);
});
