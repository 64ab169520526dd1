import { describe, expect, test } from "vitest";
import { filePath, hadoopPath } from "../../../src/plan/files/file-path.ts";

describe("the path of a text", () => {
  test.each([
    ["file:/a/b", "/a/b"],
    ["file:///a/b", "/a/b"],
    ["file:////a//b", "/a/b"],
    ["FILE:/a/b/", "/a/b"],
    ["file://localhost/a", "/a"],
    ["file:/a%20b#c", "/a b"],
    ["file:/a?b", "/a"],
    ["file:/%23a", "/#a"],
  ])("%j is the URI of %j", (uri, path) => expect(filePath(uri)).toBe(path));

  test.each(["/x/c#1", "#lock#", ".#lock", "a%20b", "a?b", ""])("%j is a path as it stands", (path) => {
    expect(filePath(path)).toBe(path);
  });

  test("Hadoop takes the characters of a URI as they are", () => {
    expect(hadoopPath("file:///a%20b/c#d/e")).toBe("/a%20b/c#d/e");
    expect(hadoopPath("/a#b")).toBe("/a#b");
  });
});
