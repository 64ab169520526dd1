import { lstat, open, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setObstacleAside, type DamagedFiles } from "./damaged-files.ts";
import { moveInto } from "./durable-folders.ts";
import { documentFile, setDocumentAside } from "./load-documents.ts";
import type { StepHook } from "./steps.ts";

/** The folder of the documents. */
export interface DocumentFolder {
  readonly root: string;
  /** Where documents are written before they take their place. */
  readonly temporary: string;
  readonly damaged: DamagedFiles;
  readonly onStep: StepHook;
}

/** A document, and the place for it. */
export interface PlacedDocument {
  readonly collection: string;
  readonly name: string;
  readonly text: string;
  /** Whether the document may be lost in a loss of power. */
  readonly relaxed: boolean;
}

/**
 * Puts a whole file in the place of the document. If that fails, it leaves nothing behind.
 *
 * @param temporaryName a name that no other document has while it is written
 */
export async function placeDocument(
  folder: DocumentFolder,
  temporaryName: string,
  { collection, name, text, relaxed }: PlacedDocument,
): Promise<void> {
  const { root, temporary, onStep } = folder;
  const path = join(temporary, temporaryName);
  try {
    onStep("document-write");
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(text);
      onStep("document-sync");
      if (!relaxed) await handle.datasync();
    } finally {
      await handle.close();
    }
    onStep("document-rename");
    const to = documentFile(root, collection, name).path;
    await clearingTheWay(folder, collection, name, () => moveInto(join(root, collection), path, to));
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** A directory in the place of the file, or a file in the place of its directory, is no document. */
async function clearingTheWay(
  { root, damaged }: DocumentFolder,
  collection: string,
  name: string,
  move: () => Promise<void>,
): Promise<void> {
  try {
    await move();
    return;
  } catch (error) {
    if (!IN_THE_WAY.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  const reason = "it is in the place of a folder of documents";
  for (let path = join(root, collection); path !== root; path = dirname(path)) {
    if (await isInTheWay(path)) await setObstacleAside(damaged, { root, path }, { what: "document", reason });
  }
  const file = documentFile(root, collection, name);
  const stats = await stat(file.path).catch(() => undefined);
  if (stats?.isDirectory() === true) await setDocumentAside(file, damaged, "it is a directory");
  await move();
}

const IN_THE_WAY: ReadonlySet<string> = new Set(["EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ELOOP", "ENOENT"]);

/** A link to a directory counts as a directory; a broken link does not. */
async function isInTheWay(path: string): Promise<boolean> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return false;
  return (await stat(path).catch(() => undefined))?.isDirectory() !== true;
}
