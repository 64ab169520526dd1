// @ts-check
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledPackages, IMAGES } from "./images.mjs";
import { rootParts, spdxDocument } from "./spdx.mjs";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

/** Run-time dependencies that have no code in a bundle, with the reason. The document must list all others. */
const NOT_INSIDE = {
  "kubernetes-types": "has types only",
  "openapi-types": "has types only",
  "@kindling/gateway-client": "what the submission server takes of it are types",
  "@kindling/staging-client": "what the recorder takes of the submission library does not need it",
  "@noble/hashes": "the same",
  "pino-abstract-transport": "pino loads it in the threads of transports, and no service has one",
  split2: "the same",
  "real-require": "the same",
  "require-from-string": "Ajv needs it when schemas are compiled to files",
};

/** @typedef {{ name: string, version: string, dependencies?: Readonly<Record<string, string>> }} Manifest */

/**
 * A package and all that it needs when it runs, as it is installed.
 *
 * @param {string} folder of the package
 * @param {Map<string, Manifest>} [found] by folder
 */
function runTimeDependencies(folder, found = new Map()) {
  if (found.has(folder)) return found;
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  found.set(folder, manifest);
  for (const name of Object.keys(manifest.dependencies ?? {})) runTimeDependencies(installed(name, folder), found);
  return found;
}

/**
 * Where Node would find a package.
 *
 * @param {string} name
 * @param {string} from a folder
 * @returns {string}
 */
function installed(name, from) {
  const path = join(from, "node_modules", name);
  if (existsSync(path)) return realpathSync(path);
  if (dirname(from) === from) throw new Error(`${name} is not installed`);
  return installed(name, dirname(from));
}

/** @param {import("./images.mjs").Image} image */
function documentOf(image) {
  const contents = bundledPackages(image, packages);
  const described = { name: "image", id: "sha256:0", version: "1.0.0", created: "2026-01-02T03:04:05Z" };
  return spdxDocument(described, rootParts(process.execPath, []), contents);
}

test.each(Object.entries(IMAGES))(
  "the document of %s lists each run-time dependency with its version",
  (_name, image) => {
    const listed = documentOf(image).packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`);
    const needed = [...runTimeDependencies(join(packages, image.package)).values()];
    const inside = needed.filter(({ name }) => !Object.hasOwn(NOT_INSIDE, name));
    expect(inside.length).toBeGreaterThan(10);
    expect(listed).toEqual(expect.arrayContaining(inside.map(({ name, version }) => `${name} ${version}`)));
  },
);

test("parts have versions, and packages of npm the addresses by which scanners know them", () => {
  const [image] = Object.values(IMAGES);
  if (image === undefined) throw new Error("there is no image");
  const { packages: parts } = documentOf(image);
  expect(parts.filter(({ versionInfo }) => versionInfo === "")).toEqual([]);
  const addresses = parts.flatMap(({ externalRefs = [] }) => externalRefs.map((one) => one.referenceLocator));
  expect(addresses).toContain(`pkg:generic/node@${process.versions.node}`);
  expect(addresses).toContainEqual(expect.stringMatching(/^pkg:npm\/%40kindling\/http@\d/));
});
