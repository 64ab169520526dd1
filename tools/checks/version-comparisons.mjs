// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TABLE = "packages/core-spec/src/versions/";

// The forms of a comparison of Spark versions: a release as a complete string, or a version that is split or compared. A key
// names the version that introduced it in full, such as "4.1.0". That is only documentation; no code depends on it.
const COMPARISONS = [
  /["'`](?:3\.5|[4-9]\.\d)["'`]/,
  /\b(?:parseInt|parseFloat|Number)\(\s*(?:\w+\.)*(?:sparkVersion|version\.text)\b/,
  /\b(?:sparkVersion|version\.text)(?:\.(?:startsWith|split|slice|localeCompare|match)\(|\s*(?:[<>]=?|[=!]==?)\s*["'`\d])/,
  /\bparseSparkVersion\([^)]*\)\??\.(?:major|minor|patch)\b/,
];

/**
 * Comparisons of Spark versions outside the single table of differences, one line each.
 *
 * @param {string} root the repository
 * @param {readonly string[]} folders of packages, relative to `root`
 */
export function versionComparisons(root, folders) {
  return folders.flatMap((folder) =>
    sources(root, join(folder, "src")).flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          comparesVersions(line)
            ? [`${file}:${index + 1}: give this difference a name in ${TABLE}differences.ts: ${line.trim()}`]
            : [],
        ),
    ),
  );
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} paths from the root
 */
function sources(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
  return entries
    .filter((name) => /\.(?:ts|mjs|js)$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !file.startsWith(TABLE));
}

/**
 * Whether a line of source compares a Spark version with something.
 *
 * @param {string} line
 */
export function comparesVersions(line) {
  const isComment = /^\s*(?:\/\/|\/?\*)/.test(line);
  return !isComment && COMPARISONS.some((pattern) => pattern.test(line));
}
