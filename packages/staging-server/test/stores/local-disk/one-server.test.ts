import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ALL_ROUNDS } from "@kindling/test-kit/rounds";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { contendingServer, type ContendingServer, type Outcome } from "../../support/contending-servers.ts";
import { httpCall } from "../../support/http-call.ts";
import { jsonCall } from "../../support/test-server.ts";

const ROUNDS = ALL_ROUNDS ? 20 : 5;
// Each of these rounds starts one more process.
const KILLS = ALL_ROUNDS ? 8 : 2;

async function contend(servers: readonly ContendingServer[], folder: string): Promise<Outcome[]> {
  return await Promise.all(servers.map((server) => server.start({ "store.path": folder })));
}

function expectOneToServe(outcomes: readonly Outcome[]): void {
  expect(outcomes.filter(({ serving }) => serving !== undefined)).toHaveLength(1);
  const refused = outcomes.filter(({ serving }) => serving === undefined);
  for (const { code, refused: message } of refused) {
    expect(code).toBe("CONF_CONFLICT");
    expect(message).toContain("is in use by another staging server");
  }
}

it(`lets one of three servers serve that start at once on a new folder, in ${ROUNDS} rounds`, async () => {
  const root = scratchFolder().path;
  const servers = await Promise.all([contendingServer(), contendingServer(), contendingServer()]);
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(root, `round-${round}`);
    expectOneToServe(await contend(servers, folder));
    await Promise.all(servers.map((server) => server.stop()));
    expect((await readdir(folder)).filter((name) => name.startsWith("lock"))).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, "format.json"), "utf8"))).toMatchObject({ kind: "kindling-staging" });
  }
}, 120_000);

it(`lets one of three servers take over from a killed one, in ${KILLS} rounds`, async () => {
  const root = scratchFolder().path;
  const servers = await Promise.all([contendingServer(), contendingServer(), contendingServer()]);
  for (let round = 0; round < KILLS; round++) {
    const folder = join(root, `round-${round}`);
    const victim = await contendingServer();
    expect((await victim.start({ "store.path": folder })).serving).toBeDefined();
    await victim.kill();
    expectOneToServe(await contend(servers, folder));
    await Promise.all(servers.map((server) => server.stop()));
    expect((await readdir(folder)).filter((name) => name.startsWith("lock"))).toEqual([]);
  }
}, 240_000);

it("stops at once, and writes nothing more, when it comes to life after another server has taken over", async () => {
  // So long that no socket is possible in it: only beats show whether the holder lives.
  const folder = join(scratchFolder().path, "f".repeat(120));
  await mkdir(folder);
  const [first, second] = await Promise.all([contendingServer(), contendingServer()]);
  const { serving: uri = "" } = await first.start({ "store.path": folder });
  first.process.kill("SIGSTOP");
  // It finds this as soon as it runs again.
  const asked = httpCall(`${uri}api/v1/leases`, jsonCall({ namespace: "default" }));
  expect((await second.start({ "store.path": folder })).serving).toBeDefined();
  const lost = first.next();
  first.process.kill("SIGCONT");
  expect((await lost).lost).toContain("another server has taken over");
  expect((await asked).status).toBe(503);
  expect(await readdir(join(folder, "meta"))).not.toContain("leases");
  await first.stop();
  const lock = await readFile(join(folder, "lock"), "utf8");
  await eventually(async () => expect(await readFile(join(folder, "lock"), "utf8")).not.toBe(lock));
  await second.stop();
}, 60_000);
