import { execFileSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { DISK_STEPS, type DiskStep } from "../src/stores/local-disk/steps.ts";
import { httpCall } from "./support/http-call.ts";
import { manifestOf, MIB, putBlob, sample, stage, type StagedBundle } from "./support/stage.ts";
import { jsonCall, openLease, testServer, TEST_OWNER, type TestServer } from "./support/test-server.ts";

async function isServed(server: TestServer, bundle: StagedBundle): Promise<boolean> {
  const answer = await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  return answer.status === 200 && answer.body.equals(bundle.files["a"]?.bytes ?? Buffer.alloc(0));
}

/** Uploads and commits a file; returns the status of each step. */
async function tryStage(server: TestServer): Promise<{ statuses: number[]; committed: StagedBundle | undefined }> {
  const one = sample(10_000);
  const answer = await server.call("api/v1/leases", jsonCall({ namespace: "default" }));
  if (answer.status !== 201) return { statuses: [answer.status], committed: undefined };
  const { leaseId } = answer.json as { leaseId: string };
  const put = await putBlob(server, leaseId, one);
  if (put !== 201) return { statuses: [201, put], committed: undefined };
  const commit = await server.call(
    "api/v1/bundles",
    jsonCall({ lease: leaseId, owner: TEST_OWNER, files: manifestOf({ a: one }) }),
  );
  const secret = (commit.json as { secret?: string }).secret ?? "";
  const committed = {
    ...(commit.json as StagedBundle),
    files: { a: one },
    headers: { authorization: `Bearer ${secret}` },
  };
  return { statuses: [201, put, commit.status], committed: commit.status === 201 ? committed : undefined };
}

const FAULTS = [
  ["ENOSPC", 507],
  ["EDQUOT", 507],
  ["EIO", 503],
  ["EROFS", 503],
] as const;

it.each(
  DISK_STEPS.filter(
    (step) => !["document-delete", "blob-delete", "blob-sync", "blob-seal", "publish-done"].includes(step),
  ),
)("answers a failing disk at %s with what it is, stays up, and goes on afterwards", async (step) => {
  let fault: string | undefined;
  const onStep = (current: DiskStep): void => {
    if (fault !== undefined && current === step) throw Object.assign(new Error(fault), { code: fault });
  };
  const server = await testServer({}, { onStep });
  const before = await stage(server, { a: 1000 });
  for (const [code, status] of FAULTS) {
    fault = code;
    const { statuses, committed } = await tryStage(server);
    expect(statuses.at(-1)).toBe(status);
    expect(committed).toBeUndefined();
    expect(await isServed(server, before)).toBe(true);
  }
  fault = undefined;
  const after = await tryStage(server);
  expect(after.statuses).toEqual([201, 201, 201]);
  expect(after.committed === undefined ? false : await isServed(server, after.committed)).toBe(true);
  expect((await server.call("api/v1/stat")).json).toMatchObject({ reservedBytes: 0, openUploads: 0 });
});

it.each(["blob-sync", "blob-seal"] as const)(
  "commits no bundle whose files could not be flushed, at %s",
  async (step) => {
    let failing = true;
    const onStep = (current: DiskStep): void => {
      if (failing && current === step) throw Object.assign(new Error("EIO"), { code: "EIO" });
    };
    const server = await testServer({}, { onStep });
    expect((await tryStage(server)).statuses).toEqual([201, 201, 503]);
    failing = false;
    expect((await tryStage(server)).statuses).toEqual([201, 201, 201]);
  },
);

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: "ignore" });
}

function mountTmpfs(folder: string, options: string): boolean {
  try {
    run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder);
  } catch {
    return false;
  }
  onTestFinished(() => run("umount", "-l", folder));
  return true;
}

it("survives a volume that is really full, and really read-only", async ({ skip }) => {
  const folder = scratchFolder().path;
  if (!mountTmpfs(folder, "size=24m")) skip("mounting a small volume needs root");
  const server = await testServer({ "store.path": folder });
  const before = await stage(server, { a: MIB });
  const ready = async (): Promise<unknown> => (await httpCall(`${server.adminUri}readyz`)).json;
  expect(await ready()).toEqual({ status: "ready" });

  const lease = await openLease(server);
  expect(await putBlob(server, lease, sample(30 * MIB))).toBe(507);
  // The room is promised, and then another program takes it.
  const filler = join(folder, "filler");
  const taking = putBlob(server, lease, sample(15 * MIB));
  await writeFile(filler, Buffer.alloc(30 * MIB)).catch(() => undefined);
  expect([201, 507]).toContain(await taking);
  await writeFile(filler, Buffer.alloc(30 * MIB), { flag: "a" }).catch(() => undefined);
  expect((await tryStage(server)).statuses.at(-1)).toBe(507);
  expect(await isServed(server, before)).toBe(true);
  await rm(filler);
  await expect.poll(async () => (await tryStage(server)).statuses.at(-1), { timeout: 5000 }).toBe(201);

  run("mount", "-o", "remount,ro", folder);
  expect((await tryStage(server)).statuses.at(-1)).toBe(503);
  expect(await isServed(server, before)).toBe(true);
  // It still serves its files.
  await expect.poll(ready, { timeout: 10_000 }).toMatchObject({ status: "degraded" });
  run("mount", "-o", "remount,rw", folder);
  expect((await tryStage(server)).statuses.at(-1)).toBe(201);
}, 30_000);

it("survives a volume that has no room for another name", async ({ skip }) => {
  const folder = scratchFolder().path;
  if (!mountTmpfs(folder, "size=24m,nr_inodes=40")) skip("mounting a small volume needs root");
  const server = await testServer({ "store.path": folder });
  const before = await stage(server, { a: 1000 });
  for (let index = 0; index < 40; index++) await writeFile(join(folder, `n${index}`), "").catch(() => undefined);
  expect((await tryStage(server)).statuses.at(-1)).toBe(507);
  expect(await isServed(server, before)).toBe(true);
  for (let index = 0; index < 40; index++) await rm(join(folder, `n${index}`), { force: true });
  expect((await tryStage(server)).statuses.at(-1)).toBe(201);
});
