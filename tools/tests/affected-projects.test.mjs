// @ts-check
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { affectedProjects, workspaceDependencies } from "./affected-projects.mjs";

/** @type {Map<string, string[]>} */
const CHAIN = new Map([
  ["apps/shop", ["packages/middle"]],
  ["packages/middle", ["packages/low"]],
  ["packages/low", []],
  ["packages/alone", []],
]);

test.each([
  ["packages/low/src/a.ts", ["low", "middle", "shop"]],
  ["packages/middle/test/a.test.ts", ["middle", "shop"]],
  ["packages/alone/package.json", ["alone"]],
  ["vitest.base.ts", ["tools", "images"]],
])("after a change of %s the tests of %j are looked at", (path, projects) => {
  expect(affectedProjects([path], CHAIN)).toEqual(projects);
});

test("the packages of this repository depend on each other as their manifests say", () => {
  const dependencies = workspaceDependencies(fileURLToPath(new URL("../..", import.meta.url)));
  expect(dependencies.get("packages/steps")).toContain("packages/core-spec");
  expect(affectedProjects(["packages/core-spec/src/index.ts"], dependencies)).toContain("submit-cli");
});
