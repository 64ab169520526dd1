import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { localizerImage } from "../../src/images/localizer-image.ts";
import { noOtherImages } from "../../src/images/no-other-images.ts";
import { registeredImages } from "../../src/images/registered-images.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const { signal } = new AbortController();
let folder: string;
let file: string;
beforeEach(() => {
  folder = scratchFolder().path;
  file = join(folder, "images.json");
});

const write = (images: unknown): void => writeFileSync(file, JSON.stringify(images));

describe("an image of the file", () => {
  test("is its folder and its command", async () => {
    write({
      "team/job:1.0": { folder, at: "/srv", entrypoint: ["node"], command: ["job.js"], environment: { A: "1" } },
    });
    expect(await registeredImages(file).resolve("team/job:1.0", signal)).toMatchObject({
      mounts: [{ source: folder, target: "/srv" }],
      entrypoint: ["node"],
      command: ["job.js"],
      environment: { A: "1" },
      workingDirectory: "/srv",
    });
  });

  test("may be any of a name, in YAML, in a folder beside the file", async () => {
    writeFileSync(file, '"team/*:*":\n  folder: .\n  workingDirectory: /tmp\n');
    const images = registeredImages(file);
    expect(await images.resolve("team/other:2", signal)).toMatchObject({
      mounts: [{ source: folder, target: "/app" }],
      workingDirectory: "/tmp",
    });
    expect(await images.resolve("else/other:2", signal)).toBeUndefined();
    expect(await images.describe()).toEqual([`team/*:* (${folder})`]);
  });

  test("counts as soon as it is written, and is another one when it changes", async () => {
    const images = registeredImages(file);
    expect(await images.resolve("job", signal)).toBeUndefined();
    write({ job: { folder, command: ["a"] } });
    const before = await images.resolve("job", signal);
    write({ job: { folder, command: ["b"] } });
    const after = await images.resolve("job", signal);
    expect(before?.command).toEqual(["a"]);
    expect(after?.id).not.toBe(before?.id);
  });

  test("whose folder has gone is refused", async () => {
    write({ job: { folder: "/nowhere/at/all" } });
    await expect(registeredImages(file).resolve("job", signal)).rejects.toThrow(
      `job: ${file} says that it is /nowhere/at/all, which is not there`,
    );
  });
});

test.each([
  [[], "it is no map of names to images"],
  [{ job: "x" }, "job is no map"],
  [{ job: {} }, "job has no folder"],
  [{ job: { folder: 1 } }, "folder of job is no text"],
  [{ job: { folder: ".", comand: ["x"] } }, "job has a field comand, which means nothing"],
  [{ job: { folder: ".", command: "x" } }, "command of job is no list of texts"],
  [{ job: { folder: ".", environment: { A: 1 } } }, "environment of job is no map of texts"],
  [{ job: { folder: ".", at: "app" } }, "job: app is no absolute path"],
])("%j is refused", async (images, message) => {
  write(images);
  await expect(registeredImages(file).resolve("job", signal)).rejects.toMatchObject({
    reason: "ErrImagePull",
    message: `${file}: ${message}`,
  });
});

test("a file that is neither JSON nor YAML is refused, and said so in the list", async () => {
  writeFileSync(file, '{"job": ');
  await expect(registeredImages(file).resolve("job", signal)).rejects.toThrow(`${file}: `);
  expect((await registeredImages(file).describe())[0]).toContain(file);
});

const PROGRAMS = {
  localizer: "/dist/localizer.cjs",
  commands: ["/dist/kindling-event-log-shipper.cjs"],
  node: "/usr/bin/node",
};

test("the localizer is an image of any tag, with the commands of second containers", async () => {
  const images = localizerImage(PROGRAMS);
  for (const name of ["kindling/localizer", "kindling/localizer:0.1.0", "ghcr.io/kindling/localizer:dev"]) {
    expect(await images.resolve(name, signal)).toMatchObject({
      entrypoint: ["/opt/kindling/node", "--max-old-space-size=64", "/opt/kindling/localizer.cjs"],
      mounts: [
        { source: "/usr/bin/node", target: "/opt/kindling/node" },
        { source: "/dist/localizer.cjs", target: "/opt/kindling/localizer.cjs" },
        { source: "/dist/kindling-event-log-shipper.cjs", target: "/opt/kindling/kindling-event-log-shipper.cjs" },
      ],
      files: [{ path: "/opt/kindling/bin/kindling-event-log-shipper", mode: 0o755 }],
      environment: { PATH: expect.stringMatching(/^\/opt\/kindling\/bin:/) as string },
    });
  }
  expect(await images.resolve("kindling/other", signal)).toBeUndefined();
});

test("an image that no source has is refused with those that there are", async () => {
  write({ job: { folder } });
  const sources = [registeredImages(file), localizerImage(PROGRAMS)];
  await expect(
    noOtherImages(sources, "register others in images.json").resolve("busybox", signal),
  ).rejects.toMatchObject({
    reason: "ErrImagePull",
    message:
      `there is no image busybox on this machine; there are job (${folder}), ` +
      "kindling/localizer:* (/dist/localizer.cjs); register others in images.json",
  });
});
