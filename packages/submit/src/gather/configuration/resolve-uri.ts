import { readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { KindlingError, splitList } from "@kindling/core-spec";
import { decodeEscapes, isUriText, schemeOf, splitFragment } from "@kindling/steps";
import { filePath } from "../../plan/files/file-path.ts";
import { fileStatus } from "../files/file-status.ts";

/**
 * Makes a URI of a file name that the user wrote (Utils.resolveURI): a text with a scheme stays as it is, a path with a
 * fragment becomes absolute, and any other path becomes canonical, with symbolic links resolved.
 */
export function resolveUri(text: string, cwd: string): string {
  if (schemeOf(text) !== undefined && isUriText(text)) return text;
  const { location, fragment } = splitFragment(text);
  if (fragment !== undefined && isUriText(text)) {
    return `${fileUri(resolve(cwd, decodeEscapes(location)))}#${fragment}`;
  }
  return fileUri(canonicalPath(resolve(cwd, text)));
}

/** Resolves each member of a comma separated list (Utils.resolveURIs). */
export function resolveUris(list: string, cwd: string): string {
  return list
    .split(",")
    .filter((item) => item.trim() !== "")
    .map((item) => resolveUri(item, cwd))
    .join(",");
}

/**
 * The notice about a plain path with a blank and `#name`: Spark does not take such a text as a URI, so the `#` is part of the
 * file's name. Only if no file has that name, but one has the name without the end.
 */
function hiddenAlias(path: string, cwd: string): string | undefined {
  const hash = path.lastIndexOf("#");
  if (hash < 0 || isRegularFile(path) || !isRegularFile(path.slice(0, hash))) return undefined;
  const short = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1, hash) : path.slice(0, hash);
  const name = path.slice(hash);
  return `'${short}${name}' is a plain path, because it has characters that no URI has, and the # is part of it; for another name in the pods write '${quotePath(short)}${name}'`;
}

function isRegularFile(path: string): boolean {
  return fileStatus(path)?.isFile() === true;
}

/** A `file:` URI in Java's form, `file:/path` (File.toURI): a directory ends in a slash. */
export function fileUri(path: string): string {
  return `file:${quotePath(isDirectory(path) && !path.endsWith("/") ? `${path}/` : path)}`;
}

function quotePath(path: string): string {
  return path.replace(/[\u0000-\u0020"#%<>?[\\\]^`{|}\u007F-\u00A0]/g, (character) => encodeURIComponent(character));
}

function isDirectory(path: string): boolean {
  return fileStatus(path)?.isDirectory() === true;
}

// PATH_MAX of Linux: no system supports a longer path.
const LONGEST_PATH = 4096;

/** Symbolic links resolved as far as the path exists. */
function canonicalPath(path: string): string {
  if (path.length > LONGEST_PATH) return path;
  try {
    return realpathSync(path);
  } catch {
    const cut = path.lastIndexOf("/");
    const parent = cut <= 0 ? "/" : path.slice(0, cut);
    return parent === path ? path : `${canonicalPath(parent).replace(/\/$/, "")}/${path.slice(cut + 1)}`;
  }
}

/**
 * Expands patterns in a comma separated list of files (DependencyUtils.resolveGlobPaths). Of the submitter's own files only
 * regular ones stay, and the user is told which ones are left out. A path without a pattern stays even if the file does not
 * exist. Remote URIs stay unchanged.
 *
 * @param flag the flag or key that the list is from
 * @throws KindlingError if a pattern with a `#name` matches several files, or a brace is not closed
 */
export function expandGlobs(list: string, flag: string, cwd: string, notice: (message: string) => void): string {
  return splitList(list)
    .flatMap((item) => {
      const uri = resolveUri(item, cwd);
      if (schemeOf(uri) !== "file") return [uri];
      const { location, fragment } = splitFragment(uri);
      const path = filePath(location);
      const alias = hiddenAlias(path, cwd);
      if (alias !== undefined) notice(`${flag}: ${alias}`);
      if (/\{[^}]*$/.test(path)) {
        throw new KindlingError("ARGUMENT_INVALID", `${flag}: ${path}: the brace is not closed`, {
          hint: "a comma ends an item of the list, within braces too",
        });
      }
      const found = isPattern(path) ? globFiles(path).map(fileUri) : regularFile(location, path);
      if (found.length === 0) {
        const what = schemeOf(item) === undefined || isUriText(item) ? path : `${item} is no URI, and as a path`;
        notice(`${flag}: ${what} ${isPattern(path) ? "matches no file" : "is no file and is left out"}`);
      }
      if (fragment !== undefined && found.length > 1) {
        throw new KindlingError("ARGUMENT_INVALID", `${flag}: ${location}#${fragment} matches ${found.length} files`, {
          hint: "a name behind '#' is for one file",
        });
      }
      return found.map((match) => (fragment === undefined ? match : `${match}#${fragment}`));
    })
    .join(",");
}

function isPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

function regularFile(uri: string, path: string): string[] {
  const status = fileStatus(path);
  return status === undefined ? [uri] : status.isFile() ? [fileUri(path)] : [];
}

/** The regular files that match a pattern of Hadoop's kind (`*`, `?`, `[a-c]`, `{x,y}`), sorted. */
function globFiles(pattern: string): string[] {
  let found = [""];
  for (const part of pattern.split("/").slice(1)) {
    if (!isPattern(part)) {
      found = found.map((base) => `${base}/${part}`);
      continue;
    }
    const name = globPattern(part);
    found = found.flatMap((base) =>
      entries(base)
        .filter((entry) => name.test(entry))
        .map((entry) => `${base}/${entry}`),
    );
  }
  return found.filter((path) => fileStatus(path)?.isFile() === true).sort();
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory === "" ? "/" : directory);
  } catch {
    return [];
  }
}

function globPattern(part: string): RegExp {
  // Several stars mean the same as one, and would be tried in as many ways.
  const source = part
    .replace(/\*+/g, "*")
    .replace(
      /\[([!^]?)([^\]]*)\]|\{([^}]*)\}|[*?.+^$()|\\[\]{}]/g,
      (text, not?: string, set?: string, choices?: string) => {
        if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\\]]/g, "\\$&")}]`;
        if (choices !== undefined)
          return `(?:${choices
            .split(",")
            .map((choice) => choice.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
            .join("|")})`;
        return text === "*" ? "[^/]*" : text === "?" ? "[^/]" : `\\${text}`;
      },
    );
  return new RegExp(`^${source}$`);
}
