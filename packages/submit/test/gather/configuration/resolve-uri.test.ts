import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filePath } from "../../../src/plan/files/file-path.ts";
import { resolveUri, resolveUris } from "../../../src/gather/configuration/resolve-uri.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

describe("a text with a scheme stays as it is", () => {
  test.each([
    "local:///opt/app.jar",
    "s3a://bucket/a/b.jar",
    "hdfs://nn:8020/a?b=c#d",
    "file:/a/b.py",
    "file:///a/b%20c.py#d",
    "https://host/a.jar",
    "s3a://bucket/größe.jar",
    // Brackets are allowed around an address, in a URI without a path, in a query, and in a fragment.
    "http://[::1]/a.jar",
    "http://u@[fe80::1]:80/a.jar",
    "http://[::1.2.3.4]/a.jar",
    "local:a[b]",
    "http://host/a?x[0]=1#[y]",
  ])("%s", (uri) => {
    expect(resolveUri(uri, "/anywhere")).toBe(uri);
  });
});

describe("a path becomes a file: URI", () => {
  test.each([
    ["app.py", "file:{W}/app.py"],
    ["./a/../app.py", "file:{W}/app.py"],
    ["/tmp/../etc/hosts", "file:/etc/hosts"],
    ["a b.py", "file:{W}/a%20b.py"],
    ["größe 日本.py", "file:{W}/größe%20日本.py"],
    ["100%.py", "file:{W}/100%25.py"],
    ["what?.py", "file:{W}/what%3F.py"],
    ["{a}[b].py", "file:{W}/%7Ba%7D%5Bb%5D.py"],
    ["app.py#name", "file:{W}/app.py#name"],
    ["a b.py#name", "file:{W}/a%20b.py%23name"],
    ["a%20b.py#name", "file:{W}/a%20b.py#name"],
    ["with:colon.py", "with:colon.py"],
    // A text with a scheme that is no URI for Java is a path.
    ["local:", "file:{W}/local:"],
    ["local:#x", "file:{W}/local:%23x"],
    ["http://", "file:{W}/http:"],
    ["local:///a#b#c", "file:{W}/local:/a%23b%23c"],
    ["a.py#b#c", "file:{W}/a.py%23b%23c"],
    ["http://[::1", "file:{W}/http:/%5B::1"],
    ["http://[a]/b", "file:{W}/http:/%5Ba%5D/b"],
    ["http://[]/b", "file:{W}/http:/%5B%5D/b"],
    ["http://[::1::2]/b", "file:{W}/http:/%5B::1::2%5D/b"],
    ["http://[::1]x/b", "file:{W}/http:/%5B::1%5Dx/b"],
    ["http://u[@h/b", "file:{W}/http:/u%5B@h/b"],
    ["s3a://b/part-[0-9].jar", "file:{W}/s3a:/b/part-%5B0-9%5D.jar"],
    ["a[b]#c", "file:{W}/a%5Bb%5D%23c"],
  ])("%s", (text, uri) => {
    const { path } = scratchFolder();
    expect(resolveUri(text, path)).toBe(uri.replace("{W}", path));
  });

  test("of a folder with a slash at its end", () => {
    const folder = scratchFolder();
    folder.mkdir("data");
    expect(resolveUri("data", folder.path)).toBe(`file:${folder.path}/data/`);
    expect(resolveUri("data/", folder.path)).toBe(`file:${folder.path}/data/`);
  });

  test("with symbolic links resolved as far as the path is there, but not where it has a fragment", () => {
    const folder = scratchFolder({ "real/app.py": "" });
    symlinkSync(join(folder.path, "real"), join(folder.path, "link"));
    symlinkSync(join(folder.path, "nowhere"), join(folder.path, "dangling"));
    expect(resolveUri("link/app.py", folder.path)).toBe(`file:${folder.path}/real/app.py`);
    expect(resolveUri("link/absent/app.py", folder.path)).toBe(`file:${folder.path}/real/absent/app.py`);
    expect(resolveUri("link/app.py#x", folder.path)).toBe(`file:${folder.path}/link/app.py#x`);
    expect(resolveUri("dangling", folder.path)).toBe(`file:${folder.path}/dangling`);
  });

  test("from which the same path comes back, whatever its name", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => !/[/\u0000:#]/.test(text) && !/^\.+$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        const path = `/nonexistent/${names.join("/")}`;
        expect(filePath(resolveUri(path, "/"))).toBe(path);
      }),
    );
  });
});

describe("the path of a file: URI", () => {
  test.each([
    ["file:/a/b.py", "/a/b.py"],
    ["file:///a/b%20c.py", "/a/b c.py"],
    ["file://localhost/a.py", "/a.py"],
    ["FILE:/a.py#x", "/a.py"],
    ["/plain path/a%20b.py", "/plain path/a%20b.py"],
    ["file:/a/%C3%A4.py", "/a/ä.py"],
    ["file:/a/%FF.py", "/a/%FF.py"],
  ])("%s is %s", (uri, path) => {
    expect(filePath(uri)).toBe(path);
  });
});

describe("a list", () => {
  test("is resolved member by member; empty ones are dropped", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder.path, "d"));
    expect(resolveUris("a.jar,,s3a://b/c.jar, ,d", folder.path)).toBe(
      `file:${folder.path}/a.jar,s3a://b/c.jar,file:${folder.path}/d/`,
    );
    expect(resolveUris("", folder.path)).toBe("");
  });
});
