import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@kindling/outside";
import { fileReader } from "../../src/kubeconfig/read-file.ts";

const readTextFile = fileReader({ clock: systemClock, noticeMs: 30_000, onWait: () => undefined }, 30_000);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kindling-read-file-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

test("a file is read as text, and /dev/null is an empty one", async () => {
  writeFileSync(join(folder, "config"), "größer\n");
  expect(await readTextFile(join(folder, "config"))).toBe("größer\n");
  expect(await readTextFile("/dev/null")).toBe("");
  await expect(readTextFile(join(folder, "absent"))).rejects.toMatchObject({ code: "ENOENT" });
});

describe("what is no file is refused, and never waited for", () => {
  test("such as a pipe that nobody writes to, a socket, a device and a directory", async () => {
    const [pipe, socket] = [join(folder, "pipe"), join(folder, "socket")];
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    for (const path of [pipe, socket, "/dev/zero", folder]) {
      await expect(readTextFile(path)).rejects.toThrow("it is not a regular file");
    }
  });

  test("and a file that is too large, with the limit", async () => {
    const path = join(folder, "large");
    writeFileSync(path, "");
    truncateSync(path, 16 * 1024 * 1024 + 1);
    await expect(readTextFile(path)).rejects.toThrow("it is larger than 16777216 bytes");
  });
});
