import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The files of this machine in a submission's arguments: the application, lists of files, input. These are more than the
 * staged files, because a change of the input is also a reason to run again.
 *
 * @param cwd the folder that paths start from
 * @returns absolute paths, each once
 */
export function namedFiles(words: readonly string[], cwd: string): string[] {
  const paths = words
    // A list, the value after `key=`, and the name after `#` that a file gets in the pods.
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
    // A host, or half a character: no file of this machine.
    return [];
  }
}
