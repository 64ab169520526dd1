// @ts-check
// The contents of an image, as an SPDX 2.3 document: the packages inside of its bundle, Node, Node's own parts, and the
// machine's packages with Node's libraries.
import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";

/**
 * @typedef {{ name: string, version: string, license?: string }} Contained
 * @typedef {{ name: string, version: string, license: string, purl: string | undefined, purpose?: string }} Part
 */

/** @param {Contained} contained a package of npm @returns {Part} */
function npmPart({ name, version, license = "NOASSERTION" }) {
  return { name, version, license, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` };
}

/** The time in images and documents, in the form that both specifications ask for. @param {NodeJS.ProcessEnv} env */
export function created(env) {
  const seconds = Number(env["SOURCE_DATE_EPOCH"] ?? 0);
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** Node, and the parts that it reports. @param {string} program @returns {Part[]} */
function nodeParts(program) {
  /** @type {Record<string, string> & { node: string }} */
  const versions = JSON.parse(execFileSync(program, ["-p", "JSON.stringify(process.versions)"], { encoding: "utf8" }));
  const { node, ...inside } = versions;
  const parts = Object.entries(inside).flatMap(([name, version]) =>
    // The version of the interface to native add-ons, and that of the Unicode data, are no packages. A part that this Node
    // does not have has an empty version.
    version === "" || ["modules", "napi", "unicode", "cldr", "tz"].includes(name)
      ? []
      : [{ name: `node-${name}`, version, license: "NOASSERTION", purl: undefined }],
  );
  return [
    { name: "node", version: node, license: "MIT", purl: `pkg:generic/node@${node}`, purpose: "APPLICATION" },
    ...parts,
  ];
}

/** @param {readonly string[]} args */
function dpkg(...args) {
  return execFileSync("dpkg-query", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/**
 * The Debian packages with these libraries; on another system, the libraries themselves.
 *
 * @param {readonly string[]} libraries paths
 * @returns {Part[]}
 */
function libraryParts(libraries) {
  const parts = libraries.map((path) => {
    try {
      // The folder /lib is a link into /usr, and the package may have either name.
      const owner = [path, realpathSync(path)].map((file) => {
        try {
          return dpkg("-S", file).split(":")[0];
        } catch {
          return undefined;
        }
      });
      const name = owner.find((found) => found !== undefined) ?? "";
      const version = dpkg("-W", "-f", "${Version}\n", name).split("\n")[0] ?? "";
      return { name, version, license: "NOASSERTION", purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}` };
    } catch {
      return { name: path.slice(1), version: "NOASSERTION", license: "NOASSERTION", purl: undefined };
    }
  });
  return [...new Map(parts.map((part) => [part.name, part])).values()];
}

/** @param {Part} part */
function spdxPackage({ name, version, license, purl, purpose = "LIBRARY" }) {
  return {
    SPDXID: `SPDXRef-${`${name}-${version}`.replaceAll(/[^a-zA-Z0-9.-]/g, "-")}`,
    name,
    versionInfo: version,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseConcluded: "NOASSERTION",
    licenseDeclared: license,
    copyrightText: "NOASSERTION",
    primaryPackagePurpose: purpose,
    ...(purl !== undefined && {
      externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
    }),
  };
}

/**
 * What every image has: Node and its libraries.
 *
 * @param {string} node the program
 * @param {readonly string[]} libraries
 */
export function rootParts(node, libraries) {
  return [...nodeParts(node), ...libraryParts(libraries)];
}

/**
 * @typedef {object} Described an image, or a program in one file
 * @property {string} name
 * @property {string} id its digest
 * @property {string} version
 * @property {string} created
 * @property {"CONTAINER" | "APPLICATION"} [purpose]
 */

/**
 * @param {Described} described
 * @param {readonly Part[]} root as `rootParts` gives it
 * @param {readonly Contained[]} bundled
 */
export function spdxDocument({ name, id, version, created, purpose = "CONTAINER" }, root, bundled) {
  const whole = spdxPackage({ name, version, license: "Apache-2.0", purl: undefined, purpose });
  const contained = [...root, ...bundled.map(npmPart)].map(spdxPackage);
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name,
    documentNamespace: `https://spdx.org/spdxdocs/${name.replaceAll("/", "-")}-${version}-${id.replace("sha256:", "")}`,
    creationInfo: { created, creators: ["Tool: kindling-deploy-images"] },
    packages: [
      { ...whole, checksums: [{ algorithm: "SHA256", checksumValue: id.replace("sha256:", "") }] },
      ...contained,
    ],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: whole.SPDXID },
      ...contained.map(({ SPDXID }) => ({
        spdxElementId: whole.SPDXID,
        relationshipType: "CONTAINS",
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}
