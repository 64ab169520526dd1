// @ts-check
import { expect, test } from "vitest";
import { tarballFaults } from "./tarball.mjs";

const MANIFEST = {
  name: "@kindling/one",
  version: "0.2.0",
  license: "Apache-2.0",
  engines: { node: ">=20.19" },
  repository: { type: "git", url: "git+https://git.example.com/kindling.git", directory: "packages/one" },
  publishConfig: { access: "public", provenance: true },
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
  dependencies: { "@kindling/two": "^0.3.0", yaml: "^2.0.0" },
};
const VERSIONS = new Map([
  ["@kindling/one", "0.2.0"],
  ["@kindling/two", "0.3.0"],
]);

/**
 * @param {Readonly<Record<string, string | undefined>>} files that replace others; undefined removes a file
 * @param {object} manifest members that replace others
 */
function tarball(files = {}, manifest = {}) {
  /** @type {Record<string, string | undefined>} */
  const all = {
    "package.json": JSON.stringify({ ...MANIFEST, ...manifest }),
    "README.md": "",
    LICENSE: "",
    "CHANGELOG.md": "",
    "dist/index.js": "",
    "dist/index.d.ts": "",
    "dist/index.js.map": '{ "sources": ["../src/index.ts"] }',
    "src/index.ts": "",
    ...files,
  };
  return new Map(Object.entries(all).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])));
}

test("a package that is as it should be has no fault", () => {
  expect(tarballFaults(tarball(), VERSIONS)).toEqual([]);
});

test("tests in a template are its users' own", () => {
  const template = { "templates/javascript/test/index.test.js": "", "templates/typescript/tsconfig.json": "" };
  expect(tarballFaults(tarball(template), VERSIONS)).toEqual([]);
});

test.each([
  [{ LICENSE: undefined }, "LICENSE is missing"],
  [{ "CHANGELOG.md": undefined }, "CHANGELOG.md is missing"],
  [{ "src/index.ts": undefined }, "dist/index.js.map leads to ../src/index.ts, which is missing"],
  [{ "dist/index.d.ts": undefined }, "package.json names dist/index.d.ts, which is missing"],
  [{ "test/one.test.ts": "" }, "test/one.test.ts is of no use to importers"],
  [{ "src/one.test.ts": "" }, "src/one.test.ts is a test"],
  [{ "dist/.tsbuildinfo": "" }, "dist/.tsbuildinfo is for building alone"],
  [{ ".npmrc": "" }, ".npmrc is for building alone"],
])("%o is seen", (files, fault) => {
  expect(tarballFaults(tarball(files), VERSIONS)).toContain(fault);
});

test.each([
  [{ dependencies: { "@kindling/two": "workspace:^" } }, "@kindling/two: workspace:^ means nothing to npm"],
  [
    { dependencies: { "@kindling/two": "^0.2.0" } },
    "@kindling/two: ^0.2.0 is not the version that is released with it, 0.3.0",
  ],
  [{ peerDependencies: { yaml: "catalog:" } }, "yaml: catalog: means nothing to npm"],
  [{ publishConfig: { access: "public" } }, "publishConfig.provenance is not true"],
  [{ repository: { url: "here" } }, "provenance needs the repository's public address"],
])("a manifest with %o is seen", (manifest, fault) => {
  expect(tarballFaults(tarball({}, manifest), VERSIONS)).toContain(fault);
});
