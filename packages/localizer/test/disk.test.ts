import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { pod, type PodConfig } from "./support/localizer-process.ts";
import { canMount, mountVolume, remount } from "./support/mounted-volume.ts";
import { tarBytes } from "./support/tar-bytes.ts";
import { sendFile, webServer } from "./support/web-server.ts";

const BYTES = randomBytes(3_000_000);
const ARCHIVE = gzipSync(
  tarBytes(Array.from({ length: 30 }, (_, index) => ({ name: `d${index}/f`, content: Buffer.alloc(100_000, "abc") }))),
);
const MORE_ROOM = "size=20m,nr_inodes=1000";

/** A pod with a small file system as its volume, and a configuration for a file or an archive. */
async function smallVolume(options: string, content: "file" | "archive") {
  const setting = pod();
  mountVolume(setting.volume, options);
  const bytes = content === "file" ? BYTES : ARCHIVE;
  const web = await webServer((request, response) => sendFile(request, response, { bytes, etag: '"1"' }));
  const target = { to: `${setting.volume}/deep/er/target`, digest: digestOf(bytes), unpack: content === "archive" };
  const config: PodConfig = {
    files: [{ from: { uri: `${web.uri}/x` }, ...target }],
    limits: { maxRatio: 10_000 },
  };
  return { ...setting, web, config };
}

describe.runIf(canMount)("a volume", () => {
  test.each([
    ["full in the middle of a file", "size=1m", "file"],
    ["full in the middle of an archive", "size=1m", "archive"],
    ["out of inodes for directories", "size=20m,nr_inodes=2", "file"],
    ["out of inodes for the file", "size=20m,nr_inodes=3", "file"],
    ["out of inodes in an archive", "size=20m,nr_inodes=20", "archive"],
  ] as const)(
    "that is %s is an error that says so, and with more room the next run goes on",
    async (_, options, kind) => {
      const { run, volume, tree, config } = await smallVolume(options, kind);
      const { code, failure, stderr } = await run(config);
      expect(code, stderr).toBe(6);
      expect(failure).toMatchObject({
        reason: "disk",
        file: expect.stringContaining("/deep/er/target") as string,
        hint: "the volume is full: give it more room (the emptyDir's sizeLimit, the pod's ephemeral-storage)",
      });
      expect(failure.message).toMatch(/^cannot write .*\/volume\/deep.*: ENOSPC/);
      expect(Object.keys(tree())).not.toContain("deep/er/target");
      expect(Object.keys(tree())).not.toContain("deep/er/target/");
      remount(volume, MORE_ROOM);
      expect(await run(config)).toMatchObject({ code: 0 });
      const names = Object.keys(tree()).filter((name) => name.startsWith("deep/er/"));
      expect(names.length).toBe(kind === "file" ? 2 : 63);
    },
  );

  test("that is full is not fetched for again from the start once there is room", async () => {
    const { run, volume, web, tree, config } = await smallVolume("size=1m", "file");
    await run(config);
    remount(volume, MORE_ROOM);
    expect((await run(config)).code).toBe(0);
    expect(Number(/^bytes=(\d+)-$/.exec(web.requests[1]?.headers.range ?? "")?.[1])).toBeGreaterThan(500_000);
    expect(tree()["deep/er/target"]).toBe(`644 ${BYTES.toString("latin1")}`);
  });

  test("that is mounted read-only is an error that says so", async () => {
    const { run, volume, config } = await smallVolume("size=20m", "file");
    remount(volume, "ro");
    const { code, failure } = await run(config);
    expect(code).toBe(6);
    expect(failure.hint).toBe("the volume is mounted read-only: mount it writable in the init container");
  });
});
