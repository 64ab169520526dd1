import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, with a slash at the end. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Folders in which all Markdown files are pages. */
const WHOLE = ["docs", "docs/decisions"];
/** Folders of packages, each with a README and optionally pages in `docs`. */
const OF_PACKAGES = ["packages", "contrib", "examples", "deploy", "deploy/helm"];
const ALONE = [
  "README.md",
  "CONTRIBUTING.md",
  "GOVERNANCE.md",
  "ROADMAP.md",
  "SECURITY.md",
  "benchmarks/README.md",
  "recordings/README.md",
];

/** The Markdown files that the site is built from, from the repository's root, in alphabetical order. */
export function pages(): readonly string[] {
  const found = [...ALONE, ...WHOLE.flatMap(markdownIn)];
  for (const folder of OF_PACKAGES) {
    for (const name of namesIn(folder)) {
      found.push(...markdownIn(`${folder}/${name}`).filter((path) => path.endsWith("/README.md")));
      found.push(...markdownIn(`${folder}/${name}/docs`));
    }
  }
  return found.filter((path) => existsSync(join(ROOT, path))).toSorted();
}

function markdownIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

function namesIn(folder: string): string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  return readdirSync(path);
}
