import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isDocumentName } from "../document-store.ts";
import type { DamagedFiles } from "./damaged-files.ts";
import { isSealed, unsealedText } from "./document-text.ts";
import { NoPlainFileError, readPlainFile } from "./plain-file.ts";

/** The file of a document. */
export interface DocumentFile {
  readonly collection: string;
  readonly name: string;
  readonly path: string;
}

const SUFFIX = ".json";
// A read may fail once because the disk is busy.
const READ_ATTEMPTS = 3;

export function documentFile(root: string, collection: string, name: string): DocumentFile {
  return { collection, name, path: join(root, collection, `${name}${SUFFIX}`) };
}

/**
 * Calls back for every document below a folder that can be read, and sets aside those that cannot be read. Other files
 * are left alone: files of other programs, and directories of the file system itself.
 */
export async function loadDocuments(
  root: string,
  damaged: DamagedFiles,
  onDocument: (collection: string, name: string, json: string) => void,
): Promise<void> {
  async function loadCollection(collection: string, depth: number): Promise<void> {
    for (const item of await readdir(join(root, collection), { withFileTypes: true })) {
      if (item.name.endsWith(SUFFIX)) {
        const name = item.name.slice(0, -SUFFIX.length);
        if (depth === 0 || !isDocumentName(name)) continue;
        const json = await readDocument(documentFile(root, collection, name), damaged);
        if (json !== undefined) onDocument(collection, name, json);
      } else if (depth < 2 && isDocumentName(item.name) && item.isDirectory()) {
        await loadCollection(join(collection, item.name), depth + 1);
      }
    }
  }
  await loadCollection("", 0);
}

/**
 * The JSON text of a document.
 *
 * @returns `undefined` if there is no such file, or if its contents are not what was written; then it is moved away
 */
export async function readDocument(file: DocumentFile, damaged: DamagedFiles): Promise<string | undefined> {
  let text: string | undefined;
  let reason = "";
  for (let attempt = 1; text === undefined; attempt++) {
    try {
      text = (await readPlainFile(file.path, isSealed)).toString("utf8");
    } catch (error) {
      if (error instanceof NoPlainFileError) {
        reason = error.message;
        break;
      }
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (code === "ENOENT") return undefined;
      if (!UNREADABLE.has(code)) throw error;
      reason = `it cannot be read: ${code}`;
      if (attempt === READ_ATTEMPTS) break;
    }
  }
  const json = text === undefined ? undefined : unsealedText(text);
  if (json !== undefined) return json;
  await setDocumentAside(file, damaged, reason || (text === "" ? EMPTY : "its checksum is wrong"));
  return undefined;
}

// Errors that mean that the disk, or the file system on it, has lost the file.
const UNREADABLE: ReadonlySet<string> = new Set(["EIO", "EUCLEAN", "EBADMSG"]);
// A loss of power leaves an empty file of a document that was not flushed: there is nothing to keep.
const EMPTY = "it is empty";

/** One shelf for all collections of two parts with the same first part. */
export function shelfOf(collection: string): string {
  return `documents-${collection.split("/")[0]}`;
}

export async function setDocumentAside(file: DocumentFile, damaged: DamagedFiles, reason: string): Promise<void> {
  const { collection, name, path } = file;
  const what = { what: "document", name: `${collection}/${name}`, reason } as const;
  if (reason === EMPTY && (await removed(path))) damaged.report(what);
  else {
    const [, ...parts] = [...collection.split("/"), name];
    await damaged.setAside({ shelf: shelfOf(collection), name: parts.join("-"), path }, what);
  }
}

async function removed(path: string): Promise<boolean> {
  return await unlink(path).then(
    () => true,
    () => false,
  );
}
