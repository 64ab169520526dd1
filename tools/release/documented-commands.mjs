// @ts-check
// The commands by which the documentation tells people to install what a release publishes.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** @typedef {{ readonly page: string, readonly command: string }} DocumentedCommand */

const SKIPPED = /(^|\/)(node_modules|dist|templates|CHANGELOG\.md)(\/|$)|(^|\/)\./;

/**
 * The commands of the pages below a folder that install Kindling's packages by npm, or its charts by Helm; each once.
 *
 * @param {string} root
 * @returns {DocumentedCommand[]}
 */
export function installCommands(root) {
  const pages = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !SKIPPED.test(path))
    .sort();
  const all = pages.flatMap((page) =>
    commandsOf(readFileSync(join(root, page), "utf8")).map((command) => ({ page, command })),
  );
  return all.filter(({ command }, index) => all.findIndex((other) => other.command === command) === index);
}

/**
 * @param {string} text of a page
 * @returns {string[]} those of its commands that install Kindling
 */
export function commandsOf(text) {
  return (
    shellCommands(text)
      .filter((line) => /^npm install .*@kindling\//.test(line) || /^helm (repo add|install) .*kindling/.test(line))
      // A package of the reader's own is nowhere.
      .filter((line) => !line.includes("@example/"))
  );
}

/**
 * @param {string} text of a page
 * @returns {string[]} its commands, and what they print, without comments and in one line each
 */
export function shellCommands(text) {
  const blocks = [...text.matchAll(/^```(?:console|bash|sh)\n(.*?)^```/gms)].map(([, body = ""]) => body);
  return blocks
    .flatMap((body) => body.replaceAll(/\\\n\s*/g, "").split("\n"))
    .map((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/\s+#.*$/, "")
        .trim(),
    );
}
