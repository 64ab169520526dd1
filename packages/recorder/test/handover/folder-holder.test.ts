import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { type FolderHolder, holdFolder } from "../../src/handover/folder-holder.ts";
import { testFolder } from "../support/archives.ts";

async function held(folder: string, own: string): Promise<FolderHolder> {
  const holder = await holdFolder(folder, own);
  onTestFinished(() => holder.close());
  return holder;
}

/** What a process that was killed has left. */
async function leave(folder: string, boot: string): Promise<void> {
  await writeFile(join(folder, "holder.json"), JSON.stringify({ identity: "killed", boot }));
}

const thisBoot = async (): Promise<string> => (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();

test("a process takes the name of one that was killed on the same machine", async () => {
  const folder = await testFolder();
  await leave(folder, await thisBoot());
  expect((await held(folder, "mine")).identity).toBe("killed");
});

test("it keeps its own name if the other one may go on: on another machine, or here", async () => {
  const elsewhere = await testFolder();
  await leave(elsewhere, "another boot");
  expect((await held(elsewhere, "mine")).identity).toBe("mine");
  const here = await testFolder();
  const first = await held(here, "first");
  expect((await held(here, "second")).identity).toBe("second");
  await first.close();
});

test("what nobody can read, and what somebody has left on purpose, gives no name", async () => {
  const folder = await testFolder();
  await writeFile(join(folder, "holder.json"), "{");
  const first = await held(folder, "first");
  expect(first.identity).toBe("first");
  await first.close();
  expect((await held(folder, "second")).identity).toBe("second");
});

test("in a folder that can have no sockets, nobody is thought to have ended", async () => {
  const folder = join(await testFolder(), "x".repeat(120));
  await mkdir(folder);
  expect((await held(folder, "first")).identity).toBe("first");
  expect((await held(folder, "second")).identity).toBe("second");
});
