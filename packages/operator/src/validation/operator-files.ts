import { posix } from "node:path";
import { isSubmitterLocal, schemeOf, splitFragment } from "@kindling/steps";

/** A folder of the operator's own disk whose files applications may name; none if undefined. */
export type OpenFolder = string | undefined;

/** A URI of a comma-separated list that may not be read; undefined if all may be read. */
export function closedUriIn(list: string, openFolder: OpenFolder): string | undefined {
  // Only the process that reads a `${…}` reference knows its value.
  if (list.includes("${")) return list;
  return list
    .split(",")
    .map((uri) => uri.trim())
    .find((uri) => uri !== "" && isSubmitterLocal(uri) && !isOpenFile(uri, openFolder));
}

/**
 * Whether a path, or a `file:` URI, is below the open folder. Only the text decides, so a path with `..`, escapes or
 * `{a,b}` in it never counts as below.
 */
export function isOpenFile(uri: string, openFolder: OpenFolder): boolean {
  if (openFolder === undefined) return false;
  const { location } = splitFragment(uri);
  const path = schemeOf(location) === "file" ? location.replace(/^file:(?:\/\/(?=\/))?/i, "") : location;
  if (/[%{}$\\\u0000]/.test(path) || path.split("/").includes("..")) return false;
  const folder = posix.resolve("/", openFolder);
  return (
    path.startsWith("/") &&
    !path.startsWith("//") &&
    posix.normalize(path).startsWith(folder === "/" ? "/" : `${folder}/`)
  );
}

/** Why a file is refused, and what to do instead. */
export function refusal(instead: string): string {
  return `no file of the operator is read for an application; ${instead}`;
}

/** The same for a value that may be any URI. */
export function uriRefusal(openFolder: OpenFolder): string {
  const below = openFolder === undefined ? "" : `, or of a file below ${openFolder}`;
  return refusal(
    `give the URI of a file of the image (local:///path) or of a store that driver and executors can reach${below}`,
  );
}
