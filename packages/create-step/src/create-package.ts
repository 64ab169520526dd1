import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { manifestOf, type Language } from "./manifest.ts";
import type { Names } from "./names.ts";

const TEMPLATES = fileURLToPath(new URL("../templates", import.meta.url));

/** The names in the templates, which are replaced by the user's names. */
const PLACEHOLDERS = { package: "@example/steps-my-step", step: "my-step" };

/**
 * Writes a package with a step, its tests and a README into a folder.
 *
 * @param folder created if it does not exist
 * @returns the files that were written, relative to the folder
 * @throws KindlingError `ARGUMENT_INVALID` if the folder is not empty, `FILE_UNREADABLE` if it cannot be written to
 */
export function createPackage(folder: string, names: Names, language: Language): string[] {
  refuseUsed(folder);
  const template = join(TEMPLATES, language);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort();
  const texts = files.map((file): [string, string] => [
    // npm does not include .gitignore in packages.
    file.replace(/^_gitignore$/, ".gitignore"),
    named(readFileSync(join(template, file), "utf8"), names),
  ]);
  const manifest = `${JSON.stringify(manifestOf(names.package, language), null, 2)}\n`;
  const all: [string, string][] = [["package.json", manifest], ...texts];
  try {
    for (const [file, text] of all) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${folder} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  return all.map(([file]) => file);
}

/** A new repository counts as an empty folder. */
function refuseUsed(folder: string): void {
  let present: string[];
  try {
    present = readdirSync(folder).filter((name) => name !== ".git");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new KindlingError("FILE_UNREADABLE", `${folder} is no folder to write into: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (present.length === 0) return;
  throw new KindlingError("ARGUMENT_INVALID", `${folder} is not empty: there is ${present[0]}`, {
    hint: "name a folder that is not there yet: npm create @kindling/step my-step",
  });
}

function named(text: string, names: Names): string {
  return text.replaceAll(PLACEHOLDERS.package, names.package).replaceAll(PLACEHOLDERS.step, names.step);
}
