import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contendingServer, type ContendingServer, type Outcome } from "../../support/contending-servers.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const ROUNDS = 20;
// Each of them has one more process to start.
const KILLS = 8;

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
  const root = await tempFolder();
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
  const root = await tempFolder();
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
