import { KindlingError, sparkVersionOf, type LocalFile, type LocalFiles } from "@kindling/core-spec";
import { parseYaml } from "../../pod-templates/parse-yaml.ts";
import type { Access } from "../../access.ts";
import { pathHere } from "./file-path.ts";

/** One path of the submitter's disk, with its content. Plain data. */
export interface GatheredFile {
  readonly isFile: boolean;
  /** In bytes; 0 if there is nothing. */
  readonly size: number;
  /** The regular files of a folder by name, sorted; missing if the path is no folder. */
  readonly files?: readonly LocalFile[] | Fault;
  /** The bytes; missing if nobody reads them. */
  readonly content?: Uint8Array | Fault;
}

/** Why something cannot be read; the text follows its path. */
export interface Fault {
  readonly fault: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** The fault of a folder that was taken for a file. */
export const FOLDER: Fault = { fault: "it is a directory", hint: "name a file in it" };

/** Files of the submitter's disk, as they were at the time of gathering. Plain data. */
export interface GatheredFiles {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly byPath: Readonly<Record<string, GatheredFile>>;
}

/** Lets steps read the gathered files, and nothing else. */
export function localFiles({ cwd, byPath }: GatheredFiles, access: Access, sparkVersion: string): LocalFiles {
  const absolute = (path: string): string => pathHere(cwd, path);
  const at = (path: string): GatheredFile => {
    const file = byPath[absolute(path)];
    if (file === undefined) throw access === "nothing" ? noAccess(absolute(path)) : notGathered(absolute(path));
    return file;
  };
  const readBytes = (path: string, shown = absolute(path)): Uint8Array => {
    const { content, files } = at(path);
    if (content === undefined && files !== undefined) throw unreadable(shown, FOLDER);
    if (content === undefined) throw notGathered(absolute(path));
    return bytesOf(content, shown);
  };
  return {
    absolute,
    readBytes: (path) => readBytes(path),
    readText: (path) => textOf(readBytes(path)),
    size: (path) => at(path).size,
    isFile: (path) => at(path).isFile,
    listFiles: (path) => filesIn(at(path), absolute(path)),
    readYaml(path, origin, kind) {
      const bytes = readBytes(path, origin);
      const text = utf16Of(bytes) ?? textOf(bytes);
      if (text === undefined) throw new KindlingError("TEMPLATE_INVALID", `${origin} is not a UTF-8 text`);
      return parseYaml(text, origin, kind, sparkVersionOf(sparkVersion));
    },
  };
}

/** @throws KindlingError `FILE_UNREADABLE` */
export function bytesOf(content: Uint8Array | Fault, shown: string): Uint8Array {
  if (content instanceof Uint8Array) return content;
  throw unreadable(shown, content);
}

/** @throws KindlingError `FILE_UNREADABLE` */
export function filesIn({ files }: GatheredFile, path: string): readonly LocalFile[] | undefined {
  if (files !== undefined && "fault" in files) throw unreadable(path, files);
  return files;
}

function unreadable(shown: string, { fault, hint }: Fault): KindlingError {
  return new KindlingError("FILE_UNREADABLE", `${shown} cannot be read: ${fault}`, hint === undefined ? {} : { hint });
}

/** The text of UTF-8 bytes; `undefined` for all other bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes that begin with the byte order mark of UTF-16, as in files that PowerShell writes; YAML allows it. */
function utf16Of(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes.subarray(0, 2);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  return first === 0xfe && second === 0xff ? new TextDecoder("utf-16be").decode(bytes) : undefined;
}

function notGathered(path: string): KindlingError {
  return new KindlingError("STEP_INVALID", `${path} is read by a step that did not say so`, {
    hint: "a step names the files that it will read: localFiles(conf, env)",
  });
}

function noAccess(path: string): KindlingError {
  return new KindlingError("ACCESS_DENIED", `${path}: no file of this machine may be read for this submission`);
}
