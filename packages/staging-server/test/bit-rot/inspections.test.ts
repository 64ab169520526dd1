import { ManualClock } from "@kindling/outside";
import { expect, it } from "vitest";
import type { Digest } from "@kindling/staging-client";
import { blobInspections } from "../../src/lifecycle/blob-inspections.ts";
import type { BlobState, BlobStore } from "../../src/stores/blob-store.ts";
import { sample } from "../support/stage.ts";

/** A store that takes a second to read a file. */
function slowStore() {
  const clock = new ManualClock();
  const read: Digest[] = [];
  const gone = new Set<Digest>();
  const verify = async (digest: Digest): Promise<BlobState> => {
    read.push(digest);
    await new Promise<void>((resolve) => clock.after(1000, resolve));
    return gone.has(digest) ? "damaged" : "sound";
  };
  const stat = (digest: Digest): Promise<number | undefined> => Promise.resolve(gone.has(digest) ? undefined : 1);
  const inspections = blobInspections({ verify, stat } as unknown as BlobStore, clock);
  /** Lets time pass when all callers are waiting. */
  const pass = async (milliseconds: number): Promise<void> => {
    await clock.advance(0);
    await clock.advance(milliseconds);
  };
  return { pass, read, gone, inspections };
}

it("reads a file once in a while, however many ask", async () => {
  const { pass, read, inspections } = slowStore();
  const { digest } = sample(1);
  const asked = Array.from({ length: 20 }, () => inspections.inspect(digest, "evil"));
  await pass(1000);
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["sound"]));
  await pass(500_000);
  expect(await inspections.inspect(digest, "evil")).toBe("sound");
  expect(read).toHaveLength(1);
  await pass(200_000);
  const later = inspections.inspect(digest, "evil");
  await pass(1000);
  expect(await later).toBe("sound");
  expect(read).toHaveLength(2);
});

it("spends a tenth of its time on all files together, and leaves the others to whoever has time", async () => {
  const { pass, read, inspections } = slowStore();
  const digests = Array.from({ length: 1500 }, () => sample(8).digest);
  const states = digests.map((digest) => inspections.inspect(digest, "evil"));
  await pass(1000);
  expect((await Promise.all(states)).filter((state) => state !== "unknown")).toHaveLength(1);
  let asked = 0;
  for (let second = 0; second < 100; second++) {
    const state = inspections.inspect(sample(8).digest, "evil");
    await pass(1000);
    if ((await state) !== "unknown") asked++;
  }
  expect(asked).toBeLessThanOrEqual(11);
  expect(read.length).toBeLessThanOrEqual(12);
  // The number of waiting blobs is bounded.
  let waiting = 0;
  while (inspections.next() !== undefined) waiting++;
  expect(waiting).toBe(500);
});

it("hears clients in turn, and each of them however much another one asks", async () => {
  const { pass, inspections } = slowStore();
  const ask = (client: string, count: number): void => {
    for (let asked = 0; asked < count; asked++) void inspections.inspect(sample(8).digest, client);
  };
  ask("evil", 2000);
  await pass(0);
  const [one, other] = [sample(8).digest, sample(8).digest];
  for (const digest of [one, other]) expect(await inspections.inspect(digest, "good")).toBe("unknown");
  const next = Array.from({ length: 4 }, () => inspections.next());
  expect([next[1], next[3]]).toEqual([one, other]);
});

it("looks at nothing that is not there, and at nothing where the store sees to it itself", async () => {
  const { read, gone, inspections } = slowStore();
  const { digest } = sample(1);
  gone.add(digest);
  expect(await inspections.inspect(digest, "evil")).toBe("absent");
  expect(read).toEqual([]);
  expect(await blobInspections({} as BlobStore, new ManualClock()).inspect(digest, "evil")).toBe("unknown");
});
