import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expandGlobs } from "../../../src/gather/configuration/resolve-uri.ts";
import { caughtFrom } from "@kindling/test-kit/caught";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";

function someFiles(): ScratchFolder {
  const folder = scratchFolder({
    "a.csv": "",
    "b.csv": "",
    "c.txt": "",
    "sub/a.csv": "",
    "sub/deep/a.csv": "",
    "other/a.csv": "",
    "sp ace/ü n.csv": "",
    "x+y(z).csv": "",
    ".hidden.csv": "",
  });
  folder.mkdir("folder.csv");
  return folder;
}

/** The result for a list, as paths below the folder. */
function expanded(list: string, folder = someFiles()): { found: string[]; notices: string[] } {
  const notices: string[] = [];
  const result = expandGlobs(list, "--files", folder.path, (notice) =>
    notices.push(notice.replaceAll(folder.path, "{W}")),
  );
  return { found: result === "" ? [] : result.replaceAll(`file:${folder.path}/`, "").split(","), notices };
}

describe("a pattern", () => {
  test.each([
    ["*.csv", [".hidden.csv", "a.csv", "b.csv", "x+y(z).csv"]],
    ["?.csv", ["a.csv", "b.csv"]],
    ["[ab].csv", ["a.csv", "b.csv"]],
    ["[a-b].csv", ["a.csv", "b.csv"]],
    ["[!a].csv", ["b.csv"]],
    ["[^a].csv", ["b.csv"]],
    ["*/a.csv", ["other/a.csv", "sub/a.csv"]],
    ["sub/*/a.csv", ["sub/deep/a.csv"]],
    ["s*/*.csv", ["sp%20ace/ü%20n.csv", "sub/a.csv"]],
    ["sp ace/*", ["sp%20ace/ü%20n.csv"]],
    ["x+y(*).csv", ["x+y(z).csv"]],
    ["{a}.csv", ["a.csv"]],
    ["a.*", ["a.csv"]],
    ["c.*#name", ["c.txt#name"]],
  ])("%s", (pattern, found) => {
    expect(expanded(pattern)).toEqual({ found, notices: [] });
  });

  test("with a name for what it matches must match one file", () => {
    const error = caughtFrom(() => expanded("*.csv#same"));
    expect(error).toMatchObject({ code: "ARGUMENT_INVALID", hint: "a name behind '#' is for one file" });
    expect(error.message).toMatch(/^--files: .*\*\.csv#same matches 4 files$/);
  });

  test("that matches nothing brings nothing, and the user is told", () => {
    expect(expanded("*.cvs,a.csv")).toEqual({ found: ["a.csv"], notices: ["--files: {W}/*.cvs matches no file"] });
    expect(expanded("absent/*.csv").notices).toEqual(["--files: {W}/absent/*.csv matches no file"]);
  });

  test("whose brace is not closed is refused, since a comma ends an item also there", () => {
    const error = caughtFrom(() => expanded("{a,b}.csv"));
    expect(error.code).toBe("ARGUMENT_INVALID");
    expect(error.message).toMatch(/^--files: .*\{a: the brace is not closed$/);
    expect(error.hint).toContain("comma");
  });
});

describe("what is no pattern", () => {
  test("and has a blank and a name behind '#' is one path, as in Spark; the user is told how to write it", () => {
    const { found, notices } = expanded("sp ace/ü n.csv#n.csv");
    expect(found).toEqual(["sp%20ace/ü%20n.csv%23n.csv"]);
    expect(notices).toEqual([
      "--files: 'sp ace/ü n.csv#n.csv' is a plain path, because it has characters that no URI has, and the # is part of it; " +
        "for another name in the pods write 'sp%20ace/ü%20n.csv#n.csv'",
    ]);
    expect(expanded("sp%20ace/ü%20n.csv#n.csv")).toEqual({ found: ["sp%20ace/ü%20n.csv#n.csv"], notices: [] });
    const folder = scratchFolder({ "a b#1.csv": "", "a b": "" });
    expect(expanded("a b#1.csv", folder).notices).toEqual([]);
  });

  test("stays if there is nothing", () => {
    expect(expanded("absent.csv,absent.csv#x").found).toEqual(["absent.csv", "absent.csv#x"]);
  });

  test("is dropped if it is a folder, and the user is told", () => {
    expect(expanded("sub,a.csv")).toEqual({
      found: ["a.csv"],
      notices: ["--files: {W}/sub is no file and is left out"],
    });
  });

  test("stays if it is remote, patterns and all", () => {
    const list = "s3a://bucket/*.csv,https://host/?[a],local:///opt/*.csv,hdfs:///a?b";
    expect(expanded(list)).toEqual({ found: list.split(","), notices: [] });
  });

  test("is a path to Java, if it has brackets where no URI has them", () => {
    expect(expanded("https://host/[a].csv")).toEqual({
      found: [],
      notices: ["--files: https://host/[a].csv is no URI, and as a path matches no file"],
    });
  });

  test("stays in the order of the list", () => {
    expect(expanded("c.txt,b.csv,sub/a.csv,a.csv").found).toEqual(["c.txt", "b.csv", "sub/a.csv", "a.csv"]);
  });

  test("is what a link in its place points to", () => {
    const folder = someFiles();
    symlinkSync(join(folder.path, "a.csv"), join(folder.path, "link.csv"));
    symlinkSync(join(folder.path, "nowhere"), join(folder.path, "dead.csv"));
    expect(expanded("link.csv", folder).found).toEqual(["a.csv"]);
    expect(expanded("[dl]*.csv", folder).found).toEqual(["link.csv"]);
  });
});
