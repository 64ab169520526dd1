// @ts-check
import { posix } from "node:path";

const ALWAYS = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];
/** Files that a package generates for its users, including tests. */
const TEMPLATES = "templates/";
/** @type {readonly (readonly [pattern: RegExp, why: string])[]} */
const NEVER = [
  [/(^|\/)(tests?|__tests__|node_modules|coverage|api)\//, "is of no use to importers"],
  [/\.test(-d)?\.[cm]?[jt]s(\.map)?$/, "is a test"],
  [
    /(^|\/)(tsconfig.*\.json|tsup\.config\.ts|vitest\.config\.ts|\.tsbuildinfo|\.env.*|\.npmrc)$/,
    "is for building alone",
  ],
];

/**
 * The members of a packed manifest that are checked.
 *
 * @typedef {object} PackedManifest
 * @property {Targets} [exports]
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 * @property {{ readonly url?: string }} [repository]
 * @property {{ readonly provenance?: boolean, readonly access?: string }} [publishConfig]
 * @property {string} [license]
 * @property {{ readonly node?: string }} [engines]
 */

/** @typedef {{ readonly [condition: string]: string | Targets }} Targets */

/**
 * The faults of a packed package.
 *
 * @param {ReadonlyMap<string, string>} files its contents, by path below `package/`
 * @param {ReadonlyMap<string, string>} versions of all packages that are released together, by name
 * @returns {string[]} a sentence for each fault
 */
export function tarballFaults(files, versions) {
  /** @type {PackedManifest} */
  const manifest = JSON.parse(files.get("package.json") ?? "{}");
  return [
    ...ALWAYS.filter((name) => !files.has(name)).map((name) => `${name} is missing`),
    ...[...files.keys()]
      .filter((path) => !path.startsWith(TEMPLATES))
      .flatMap((path) => NEVER.filter(([pattern]) => pattern.test(path)).map(([, why]) => `${path} ${why}`)),
    ...targets(manifest)
      .filter((path) => !files.has(path))
      .map((path) => `package.json names ${path}, which is missing`),
    ...[...files.entries()]
      .filter(([path]) => path.endsWith(".map"))
      .flatMap(([path, text]) => mapFaults(path, text, files)),
    ...rangeFaults(manifest, versions),
    ...publishFaults(manifest),
  ];
}

/** @param {PackedManifest} manifest */
function targets({ exports = {}, bin = {} }) {
  /**
   * @param {string | Targets} value
   * @returns {string[]}
   */
  const leaves = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(leaves));
  return [...leaves(exports), ...leaves(bin)]
    .map((path) => posix.normalize(path))
    .filter((path) => !path.includes("*"));
}

/**
 * A source map must name a source that exists, or contain the source.
 *
 * @param {string} path of the map
 * @param {string} text of the map
 * @param {ReadonlyMap<string, string>} files
 */
function mapFaults(path, text, files) {
  /** @type {{ sources?: string[], sourcesContent?: (string | null)[] }} */
  const { sources = [], sourcesContent = [] } = JSON.parse(text);
  return sources
    .filter((source, index) => sourcesContent[index] == null && !files.has(posix.join(posix.dirname(path), source)))
    .map((source) => `${path} leads to ${source}, which is missing`);
}

/**
 * @param {PackedManifest} manifest
 * @param {ReadonlyMap<string, string>} versions
 */
function rangeFaults({ dependencies = {}, peerDependencies = {}, optionalDependencies = {} }, versions) {
  const all = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return [
    ...all
      .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
      .map(([name, range]) => `${name}: ${range} means nothing to npm`),
    ...Object.entries(dependencies)
      .filter(([name, range]) => versions.has(name) && range !== `^${versions.get(name)}`)
      .map(([name, range]) => `${name}: ${range} is not the version that is released with it, ${versions.get(name)}`),
  ];
}

/**
 * The fields that the registry requires of a package that is public and has provenance.
 *
 * @param {PackedManifest} manifest
 */
function publishFaults({ repository, publishConfig, license, engines }) {
  return [
    ...(/^git\+https:\/\/.+\.git$/.test(repository?.url ?? "")
      ? []
      : ["provenance needs the repository's public address"]),
    ...(publishConfig?.provenance === true ? [] : ["publishConfig.provenance is not true"]),
    ...(publishConfig?.access === "public" ? [] : ["publishConfig.access is not public"]),
    ...(license === undefined ? ["license is missing"] : []),
    ...(engines?.node === undefined ? ["engines.node is missing"] : []),
  ];
}
