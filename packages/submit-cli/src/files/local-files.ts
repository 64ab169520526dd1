import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { KindlingError, type LocalFiles } from "@kindling/core-spec";
import { filePath } from "../conf/resolve-uri.ts";
import { fileStatus } from "./file-status.ts";
import { readFailure } from "./read-failure.ts";
import { readSmallFile } from "./read-small-file.ts";

/**
 * The submitter's disk. Paths may be relative to `cwd`, or `file:` URIs. What is read here goes into objects, so that a
 * file has at most 1 MiB.
 *
 * @param parseYaml reads YAML as Kubernetes' tools do; handed in because most submissions never need it
 */
export function localFiles(cwd: string, parseYaml: (text: string, origin: string) => unknown): LocalFiles {
  const absolute = (path: string): string => resolve(cwd, filePath(path));
  const readBytes = (path: string, shown = absolute(path)): Uint8Array => {
    try {
      return readSmallFile(absolute(path));
    } catch (error) {
      throw new KindlingError("FILE_UNREADABLE", `${shown} cannot be read: ${readFailure(error)}`, { cause: error });
    }
  };
  const readText = (path: string, shown?: string): string | undefined => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readBytes(path, shown));
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  };
  return {
    absolute,
    readBytes: (path) => readBytes(path),
    readText: (path) => readText(path),
    size: (path) => fileStatus(absolute(path))?.size ?? 0,
    isFile: (path) => fileStatus(absolute(path))?.isFile() === true,
    listFiles(path) {
      if (fileStatus(absolute(path))?.isDirectory() !== true) return undefined;
      return readdirSync(absolute(path))
        .sort()
        .flatMap((name) => {
          const file = resolve(absolute(path), name);
          const status = fileStatus(file);
          return status?.isFile() === true ? [{ name, path: file, size: status.size }] : [];
        });
    },
    readYaml(path, origin) {
      const text = readText(path, origin);
      if (text === undefined) throw new KindlingError("TEMPLATE_INVALID", `${origin} is not a UTF-8 text`);
      return parseYaml(text, origin);
    },
  };
}
