import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The files of this machine that a submission's arguments name: the application, lists of files, input. More than what is
 * staged, for a change of the input is a reason to run again, too.
 *
 * @param cwd what paths are relative to
 * @returns absolute paths, each once
 */
export function namedFiles(words: readonly string[], cwd: string): string[] {
  const paths = words
    // A list, the value behind `key=`, and the name behind `#` that a file gets in the pods.
    .flatMap((word) => [word, word.slice(word.indexOf("=") + 1)])
    .flatMap((word) => word.split(","))
    .map((word) => word.replace(/#.*$/, ""))
    .flatMap((word) => pathOf(word, cwd));
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function pathOf(word: string, cwd: string): string[] {
  if (word === "" || word.includes("\0")) return [];
  if (!word.startsWith("file:")) return [resolve(cwd, word)];
  try {
    return [fileURLToPath(word.replace(/^file:\/*/, "file:///"))];
  } catch {
    // A host, or half a character: nothing of this machine.
    return [];
  }
}
