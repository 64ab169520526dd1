import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectStaging, uploadBundle } from "@kindling/staging-client";
import { CRASH_SETTINGS, expectDownloads, localFiles } from "../support/crash-scene.ts";
import { serverProcess } from "../support/server-process.ts";
import { MIB } from "../support/stage.ts";
import { TEST_OWNER } from "../support/test-server.ts";
import { freePort } from "@kindling/test-kit/free-port";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

/** What a loss of power may take: everything that was not flushed. */
const LOSSES = {
  "its lease": ["meta/leases"],
  "what its lease holds": ["meta/lease-entries"],
  "its uploads": ["meta/uploads"],
  "all of them, and their bytes": ["meta/leases", "meta/lease-entries", "meta/uploads", "ingest"],
};

it.each(Object.entries(LOSSES))(
  "gets a client through whose server has lost %s on the way",
  async (_what, lost) => {
    const data = scratchFolder().path;
    const settings = { ...CRASH_SETTINGS, "store.path": data, "listen.port": await freePort() };
    const first = await serverProcess(settings);
    const files = await localFiles({ small: 5000, large: 24 * MIB, other: 30_000 });
    const client = connectStaging({ uri: first.uri, retry: { attempts: 1000, baseMs: 20, capMs: 200 } });
    let cut: (() => void) | undefined;
    const half = new Promise<void>((resolve) => (cut = resolve));
    const uploading = uploadBundle(client, {
      files,
      owner: TEST_OWNER,
      onProgress: ({ bytesSent }) => void (bytesSent > 8 * MIB && cut?.()),
    });
    await half;
    await first.kill();
    for (const path of lost) await rm(join(data, path), { recursive: true, force: true });
    await serverProcess(settings);
    const bundle = await uploading;
    await expectDownloads(client, bundle, files);
    client.close();
    expect(bundle.files).toHaveLength(3);
  },
  60_000,
);
