import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { createServer } from "node:net";
import { backgroundClock } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import { type FolderHolder, holdFolder } from "../../src/handover/folder-holder.ts";
import { testFolder } from "../support/archives.ts";

/** @param patience ends the waiting for another process */
async function held(folder: string, own: string, patience = new AbortController().signal): Promise<FolderHolder> {
  const holder = await holdFolder(folder, own, { clock: backgroundClock, signal: patience });
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
  expect((await held(here, "second", AbortSignal.abort())).identity).toBe("second");
  await first.close();
});

test("a process that is about to end is waited for, and leaves its name if it is killed", async () => {
  const folder = await testFolder();
  await leave(folder, await thisBoot());
  const ending = createServer();
  await new Promise<void>((resolve) => ending.listen(join(folder, "holder.sock"), resolve));
  const next = held(folder, "mine");
  await once(ending, "connection");
  ending.close();
  expect((await next).identity).toBe("killed");
});

test("one that ends properly leaves its name, too: it may have been unable to give the Lease back", async () => {
  const folder = await testFolder();
  const first = await held(folder, "first");
  const next = held(folder, "second");
  await first.close();
  expect((await next).identity).toBe("first");
});

test("what nobody can read gives no name", async () => {
  const folder = await testFolder();
  await writeFile(join(folder, "holder.json"), "{");
  expect((await held(folder, "mine")).identity).toBe("mine");
});

test("one that waits in vain leaves everything to the other one", async () => {
  const folder = await testFolder();
  const first = await held(folder, "first");
  const impatient = await held(folder, "second", AbortSignal.abort());
  await impatient.close();
  const next = held(folder, "third");
  await first.close();
  expect((await next).identity).toBe("first");
});

test("in a folder that can have no sockets, nobody is thought to have ended", async () => {
  const folder = join(await testFolder(), "x".repeat(120));
  await mkdir(folder);
  expect((await held(folder, "first")).identity).toBe("first");
  expect((await held(folder, "second")).identity).toBe("second");
});
