import { describe, expect, test } from "vitest";
import { compareSpecs, covers } from "../src/index.ts";

describe("compareSpecs", () => {
  test.each([
    ["a new member", { a: 1 }, { a: 1, b: 2 }, ["added b"]],
    ["a changed member", { a: 1 }, { a: 2 }, ["changed a"]],
    ["a dropped member", { a: 1, b: 2 }, { a: 1 }, ["removed b"]],
    ["an unset member that is set", { a: "" }, { a: "x" }, ["added a"]],
    ["something behind a list", { l: [1] }, { l: [1, 2] }, ["added l[1]"]],
    ["something before a list", { l: [{ name: "b" }] }, { l: [{ name: "a" }, { name: "b" }] }, ["added l[a].name"]],
    [
      "a changed member of a named list",
      { l: [{ name: "a", v: 1 }] },
      { l: [{ name: "a", v: 2 }] },
      ["changed l[a].v"],
    ],
    ["a dropped member of a list", { l: [{ name: "a" }, { name: "b" }] }, { l: [{ name: "b" }] }, ["removed l[a]"]],
    ["members that changed places", { l: ["x", "y"] }, { l: ["y", "x"] }, ["added l[0]", "removed l[1]"]],
    ["an object in place of a text", { a: "x" }, { a: {} }, ["changed a"]],
    ["an empty object", {}, { a: {} }, ["added a"]],
    ["keys with dots", { m: {} }, { m: { "spark.a": "1" } }, ["added m[spark.a]"]],
    [
      "objects by kind and name",
      { r: [] },
      { r: [{ kind: "Service", metadata: { name: "s" } }] },
      ["added r[Service/s].kind", "added r[Service/s].metadata.name"],
    ],
  ])("reports %s", (_, before, after, expected) => {
    expect(compareSpecs(before, after).map(({ kind, path }) => `${kind} ${path}`)).toEqual(expected);
  });

  test("finds nothing in what is the same", () => {
    const value = { a: [{ name: "x", list: [1, { b: null }] }] };
    expect(compareSpecs(value, structuredClone(value))).toEqual([]);
  });
});

describe("covers", () => {
  test.each([
    ["driverContainer.image", "driverContainer.image", true],
    ["driverContainer.resources", "driverContainer.resources.limits.cpu", true],
    ["driverContainer.env", "driverContainer.env[A].value", true],
    ["driverContainer.env", "driverContainer.envFrom", false],
    ["driverContainer.env[*].value", "driverContainer.env[A.B].value", true],
    ["driverPod.*.name", "driverPod.metadata.name", true],
    ["driverPod.*.name", "driverPod.a.b.name", false],
    ["driverSparkConf[*oauthToken]", "driverSparkConf[spark.a.oauthToken]", true],
    ["driverSparkConf[*oauthToken]", "driverSparkConf[spark.a.oauthTokenFile]", false],
  ])("%s covers %s: %s", (pattern, path, expected) => expect(covers(pattern, path)).toBe(expected));
});
