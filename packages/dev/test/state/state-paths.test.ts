import { describe, expect, test } from "vitest";
import { defaultStateFolder, sparkCacheFolder, statePaths } from "../../src/state/state-paths.ts";

describe("without --state the folder is", () => {
  test.each([
    [{ HOME: "/home/me" }, "/home/me/.local/state/kindling/dev"],
    [{ HOME: "/home/me", XDG_STATE_HOME: "/state" }, "/state/kindling/dev"],
    [{ HOME: "/home/me", XDG_STATE_HOME: "" }, "/home/me/.local/state/kindling/dev"],
    [{ HOME: "/home/me", XDG_STATE_HOME: "relative" }, "/home/me/.local/state/kindling/dev"],
  ])("%j -> %s", (env, folder) => {
    expect(defaultStateFolder(env)).toBe(folder);
  });
});

test("fetched Sparks lie in the user's cache", () => {
  expect(sparkCacheFolder({ HOME: "/home/me" })).toBe("/home/me/.cache/kindling/spark");
  expect(sparkCacheFolder({ HOME: "/home/me", XDG_CACHE_HOME: "/cache" })).toBe("/cache/kindling/spark");
});

test("everything lies below the folder", () => {
  const { folder, ...paths } = statePaths("/state/dev");
  expect(Object.values(paths).filter((path) => !path.startsWith(`${folder}/`))).toEqual([]);
});

test("a socket's address is short enough for the kernel, and one folder's own", () => {
  const [one, two] = ["a", "b"].map((end) => statePaths(`/${"long/".repeat(30)}${end}`).socket);
  expect(Buffer.byteLength(one ?? "")).toBeLessThan(104);
  expect(one).not.toBe(two);
});
