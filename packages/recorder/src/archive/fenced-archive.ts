import { type Archive, ArchiveError } from "./archive.ts";

/**
 * An archive that changes only while this process may act: one that was paused for a while, and does not know yet that another
 * one records, stores nothing over what that one has stored.
 */
export function fencedArchive(archive: Archive, isHeld: () => boolean): Archive {
  const fenced = async (write: () => Promise<void>): Promise<void> => {
    if (!isHeld()) throw new ArchiveError("nothing is stored: another recorder may record by now", undefined);
    await write();
  };
  return {
    ...archive,
    put: (path, content) => fenced(() => archive.put(path, content)),
    putFile: (path, file) => fenced(() => archive.putFile(path, file)),
    delete: (path) => fenced(() => archive.delete(path)),
  };
}
