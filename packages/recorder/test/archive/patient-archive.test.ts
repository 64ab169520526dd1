import { buffer } from "node:stream/consumers";
import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { type Archive, ArchiveError } from "../../src/archive/archive.ts";
import { patientArchive } from "../../src/archive/patient-archive.ts";
import { folderArchive } from "../support/archives.ts";

const never = <T>(): Promise<T> => new Promise(() => undefined);

async function paths(archive: Archive): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { path } of archive.list("v1")) found.push(path);
  return found;
}

const ASKED: Readonly<Record<string, (archive: Archive) => Promise<unknown>>> = {
  read: (archive) => archive.read("v1/a"),
  open: (archive) => archive.open("v1/a"),
  list: (archive) => paths(archive),
  folders: (archive) => archive.folders("v1"),
};

test.each(Object.entries(ASKED))("a reader is told when a store does not answer: %s", async (_, ask) => {
  const clock = new ManualClock();
  const hanging: Archive = {
    ...(await folderArchive()),
    ...{ read: never, open: never, folders: never },
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
  };
  const asked = ask(patientArchive(hanging, clock, 20_000)).then(
    () => "answered",
    (error: unknown) => error,
  );
  await clock.advance(20_000);
  expect(await asked).toBeInstanceOf(ArchiveError);
});

test("a store that answers is read as before", async () => {
  const archive = await folderArchive();
  await archive.put("v1/a/b", Buffer.from("text"));
  const patient = patientArchive(archive, new ManualClock(), 1_000);
  const stream = await patient.open("v1/a/b");
  expect(stream && (await buffer(stream)).toString()).toBe("text");
  expect(String(await patient.read("v1/a/b"))).toBe("text");
  expect(await paths(patient)).toEqual(["v1/a/b"]);
  expect(await patient.folders("v1")).toEqual(["a"]);
});
