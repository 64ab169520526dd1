import { ManualClock } from "@kindling/outside";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { lockData } from "../../../src/stores/local-disk/data-lock.ts";

const options = (nonce: string) => ({ clock: new ManualClock(), nonce, onLost: vi.fn<() => void>() });

it("gives a folder to one holder at a time", async () => {
  const root = scratchFolder().path;
  const first = await lockData(root, options("one"));
  await expect(lockData(root, options("two"))).rejects.toMatchObject({ code: "CONF_CONFLICT" });
  await first.release();
  await (await lockData(root, options("two"))).release();
});

it("takes over at once from a holder of this machine that is dead", async () => {
  const root = scratchFolder().path;
  const bootId = "this-boot";
  await writeFile(join(root, "lock"), JSON.stringify({ bootId, nonce: "dead", beat: 7, socket: true }));
  const mine = options("new");
  const lock = await lockData(root, { ...mine, bootId });
  expect(mine.clock.monotonic()).toBe(0);
  await lock.release();
});

it("waits until a holder of another machine has been silent for long enough", async () => {
  const root = scratchFolder().path;
  await writeFile(join(root, "lock"), JSON.stringify({ bootId: "another-boot", nonce: "far", beat: 7, socket: true }));
  const mine = options("new");
  let taken = false;
  const taking = lockData(root, mine).then((lock) => {
    taken = true;
    return lock;
  });
  for (let second = 0; second < 8; second++) await mine.clock.advance(1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBe(false);
  await eventually(async () => {
    await mine.clock.advance(1000);
    expect(taken).toBe(true);
  });
  await (await taking).release();
});

it("leaves a folder to a holder of another machine that still beats", async () => {
  const root = scratchFolder().path;
  const far = async (beat: number): Promise<void> => {
    await writeFile(join(root, "new"), JSON.stringify({ bootId: "another-boot", nonce: "far", beat, socket: true }));
    await rename(join(root, "new"), join(root, "lock"));
  };
  await far(1);
  const mine = options("new");
  const taking = lockData(root, mine);
  taking.catch(() => undefined);
  let beat = 1;
  await eventually(async () => {
    await far(++beat);
    await mine.clock.advance(1000);
    await expect(Promise.race([taking, Promise.resolve("waiting")])).rejects.toMatchObject({ code: "CONF_CONFLICT" });
  });
});

it("tells a holder that somebody else has taken over", async () => {
  const root = scratchFolder().path;
  const mine = options("one");
  const lock = await lockData(root, mine);
  await writeFile(join(root, "lock"), JSON.stringify({ bootId: "x", nonce: "thief", beat: 1, socket: true }));
  await eventually(async () => {
    await mine.clock.advance(2000);
    expect(mine.onLost).toHaveBeenCalledOnce();
  });
  await lock.release();
});
