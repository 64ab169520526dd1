// @ts-check
// What is in the folder, as text: the names of the images, and the checksums of all files.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

/** The file with the checksums, in the form of `sha256sum`. */
export const SUMS = "SHA256SUMS";

/**
 * The version of the images that a chart runs.
 *
 * @param {string} chart the text of its Chart.yaml
 */
export function versionOf(chart) {
  const version = /^appVersion: "?([\w.-]+)"?$/m.exec(chart)?.[1];
  if (version === undefined) throw new Error("the chart has no appVersion");
  return version;
}

/**
 * The images' names as their archives have them, one a line.
 *
 * @param {readonly string[]} names
 * @param {string} version
 */
export function imageList(names, version) {
  return names
    .toSorted()
    .map((name) => `kindling/${name}:${version}\n`)
    .join("");
}

/**
 * All files of a folder except the checksums, by their paths in it, sorted. Others may have put files there before: they are
 * carried over the border too.
 *
 * @param {string} folder
 */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== SUMS)
    .toSorted();
}

/**
 * The checksums of these files. They are streamed: an image of Spark is larger than a buffer may be.
 *
 * @param {string} folder
 * @param {readonly string[]} paths in the folder
 */
export async function checksums(folder, paths) {
  const lines = [];
  for (const path of paths) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, path)), hash);
    lines.push(`${hash.digest("hex")}  ${path}\n`);
  }
  return lines.join("");
}
