import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentedCommands, type DocumentedCommand } from "./blocks.ts";

export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

const FOLDERS = ["docs", "packages", "contrib", "examples", "deploy", "benchmarks", "recordings", "apps"];

/** Every page with commands (the READMEs, and the pages below `docs`), with its commands. */
export function pagesWithCommands(): ReadonlyMap<string, readonly DocumentedCommand[]> {
  const found = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...FOLDERS.flatMap((folder) => markdownBelow(folder))];
  const pages = found.map((page) => [page, documentedCommands(readFileSync(join(ROOT, page), "utf8"))] as const);
  return new Map(pages.filter(([, commands]) => commands.length > 0));
}

function markdownBelow(folder: string): string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : markdownBelow(name);
    return entry.name.endsWith(".md") && entry.name !== "CHANGELOG.md" ? [name] : [];
  });
}

const SKIPPED = /^(?:node_modules|dist|src|test|bin|templates|\..*)$/;

/** The first code block with this language in a page. */
export function exampleOf(page: string, language: string): string {
  const [, code] =
    new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(readFileSync(join(ROOT, page), "utf8")) ?? [];
  if (code === undefined) throw new Error(`${page} shows no ${language}`);
  return code;
}
