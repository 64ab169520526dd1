// @ts-check
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledPackages, IMAGES } from "./images.mjs";
import { rootParts, spdxDocument } from "./spdx.mjs";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

const SERVICES_WITH_FASTIFY = ["staging-server", "submission-server", "recorder"];

/**
 * Run-time dependencies that have no code in the bundles of some images, with the reason. The document of an image must list all
 * others, so that what one image does without is not missed in another one.
 *
 * @type {readonly { readonly name: string, readonly why: string, readonly images: readonly string[] }[]}
 */
const NOT_INSIDE = [
  { name: "kubernetes-types", why: "has types only", images: Object.keys(IMAGES) },
  { name: "openapi-types", why: "has types only", images: ["submission-server"] },
  {
    name: "@kindling/gateway-client",
    why: "what these services take of it, or of the submission library, are types",
    images: ["submission-server", "connect", "recorder"],
  },
  {
    name: "@kindling/staging-client",
    why: "what is taken of the submission library does not need it",
    images: ["recorder"],
  },
  { name: "@noble/hashes", why: "only the staging client needs it", images: ["recorder"] },
  {
    name: "pino-abstract-transport",
    why: "pino loads it in the threads of transports, and no service has one",
    images: SERVICES_WITH_FASTIFY,
  },
  { name: "split2", why: "only pino's transports need it", images: SERVICES_WITH_FASTIFY },
  { name: "real-require", why: "only pino's transports need it", images: SERVICES_WITH_FASTIFY },
  {
    name: "require-from-string",
    why: "Ajv needs it when schemas are compiled to files",
    images: SERVICES_WITH_FASTIFY,
  },
];

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
  (name, image) => {
    const listed = new Set(documentOf(image).packages.map(({ name: part, versionInfo }) => `${part} ${versionInfo}`));
    const needed = [...runTimeDependencies(join(packages, image.package)).values()];
    const missing = needed.filter(({ name: part, version }) => !listed.has(`${part} ${version}`));
    const without = NOT_INSIDE.filter(({ images }) => images.includes(name));
    expect(missing.map(({ name: part }) => part).toSorted()).toEqual(without.map(({ name: part }) => part).toSorted());
    expect(needed.length - missing.length).toBeGreaterThan(10);
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
