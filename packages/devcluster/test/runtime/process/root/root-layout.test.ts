import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RootContent } from "../../../../src/runtime/process/root/bind.ts";
import { type RootLayout, layOutRoot } from "../../../../src/runtime/process/root/root-layout.ts";

const WRITABLE = "/var/of-this-run";
let host: string;

beforeAll(() => {
  host = mkdtempSync(join(tmpdir(), "kindling-layout-"));
  mkdirSync(join(host, "spark/bin"), { recursive: true });
  mkdirSync(join(host, "spark/jars"));
  mkdirSync(join(host, "spark/work"));
  mkdirSync(join(host, "volume"));
  writeFileSync(join(host, "spark/bin/submit"), "");
  writeFileSync(join(host, "file"), "");
  symlinkSync("jars", join(host, "spark/libraries"));
});
afterAll(() => {
  rmSync(host, { recursive: true });
});

function layout(content: Partial<RootContent>): RootLayout {
  return layOutRoot({
    binds: [],
    files: [],
    links: [],
    folders: [],
    ownFolders: [],
    writable: WRITABLE,
    readOnly: false,
    ...content,
  });
}

const spark = (): RootContent["binds"][number] => ({
  source: join(host, "spark"),
  target: "/opt/spark",
  readOnly: true,
});

/** Targets with their sources, as the container sees them. */
function seen({ binds }: RootLayout): Record<string, string> {
  return Object.fromEntries(binds.map(({ source, target }) => [target, source.slice(host.length)]));
}

test("what needs no place in another is mounted as it is, outer ones first", () => {
  const inner = { source: join(host, "volume"), target: "/opt/spark/jars", readOnly: false };
  expect(seen(layout({ binds: [inner, spark()] }))).toEqual({ "/opt/spark": "/spark", "/opt/spark/jars": "/volume" });
  expect(layout({ binds: [inner, spark()] }).binds.map(({ target }) => target)).toEqual([
    "/opt/spark",
    "/opt/spark/jars",
  ]);
});

test("a mount point that a read-only folder has not makes that folder one of the root, with the same entries", () => {
  const conf = { source: join(host, "volume"), target: "/opt/spark/conf", readOnly: true };
  const result = layout({ binds: [spark(), conf] });
  expect(seen(result)).toEqual({
    "/opt/spark/bin": "/spark/bin",
    "/opt/spark/jars": "/spark/jars",
    "/opt/spark/work": "/spark/work",
    "/opt/spark/conf": "/volume",
  });
  expect(result.links).toContainEqual({ path: "/opt/spark/libraries", to: "jars" });
  expect(result.folders).toEqual(expect.arrayContaining(["/opt/spark", "/opt/spark/conf"]));
});

test("a file where the folder has a folder is a mount point that is missing", () => {
  const file = { source: join(host, "file"), target: "/opt/spark/bin/extra", readOnly: true };
  expect(seen(layout({ binds: [spark(), file] }))).toMatchObject({
    "/opt/spark/bin/submit": "/spark/bin/submit",
    "/opt/spark/bin/extra": "/file",
  });
});

test("in a folder that the container may write to, the mount point is made in that folder", () => {
  const outer = { source: join(host, "volume"), target: "/data", readOnly: false };
  const inner = { source: join(host, "spark"), target: "/data/a/b", readOnly: true };
  expect(layout({ binds: [outer, inner] }).hostPoints).toEqual([{ path: join(host, "volume/a/b"), kind: "folder" }]);
});

test("of two with the same target the later one counts, whichever way it is written", () => {
  const other = { source: join(host, "volume"), target: "/opt/./spark/", readOnly: false };
  expect(seen(layout({ binds: [spark(), other] }))).toEqual({ "/opt/spark": "/volume" });
  const links = [{ path: "/run", to: "/var/run" }];
  const through = { source: join(host, "volume"), target: "/run/it", readOnly: false };
  expect(seen(layout({ links, binds: [through] }))).toEqual({ "/var/run/it": "/volume" });
});

test("an own folder takes the place of an empty one, and leaves one with content", () => {
  const own = (path: string): RootLayout => layout({ binds: [spark()], ownFolders: [{ path, mode: 0o755 }] });
  const folder = (target: string): object => ({ source: `${WRITABLE}/0`, target, readOnly: false });
  expect(own("/opt/spark/work").binds).toContainEqual(folder("/opt/spark/work"));
  expect(seen(own("/opt/spark/bin"))).toEqual({ "/opt/spark": "/spark" });
  expect(own("/opt/spark/new").binds).toContainEqual(folder("/opt/spark/new"));
  expect(own("/opt/spark/new").own).toEqual([{ path: `${WRITABLE}/0`, mode: 0o755 }]);
});

test("a volume in an own folder finds its place there, also where the container may not write", () => {
  const volume = { source: join(host, "volume"), target: "/work/data", readOnly: false };
  for (const readOnly of [false, true]) {
    const result = layout({ binds: [volume], ownFolders: [{ path: "/work", mode: 0o755 }], readOnly });
    expect(result.binds.map(({ target }) => target)).toEqual(["/work", "/work/data"]);
    expect(result.hostPoints).toEqual([{ path: `${WRITABLE}/0/data`, kind: "folder" }]);
  }
});

test("a file of the image is seen in a folder of the image, but not through a volume", () => {
  const file = { path: "/opt/spark/bin/submit", content: "own", mode: 0o755 };
  const result = layout({ binds: [spark()], files: [file] });
  expect(seen(result)).not.toHaveProperty("/opt/spark/bin/submit");
  expect(result.files).toContainEqual(file);
  const volume = { source: join(host, "volume"), target: "/opt/spark/bin", readOnly: false };
  expect(layout({ binds: [spark(), volume], files: [file] }).files).not.toContainEqual(file);
});

test("links that lead in a circle end", () => {
  const links = [
    { path: "/a", to: "/b" },
    { path: "/b", to: "/a" },
  ];
  expect(layout({ links, folders: ["/a/folder"] }).folders).toHaveLength(1);
});
