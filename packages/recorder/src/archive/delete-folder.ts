import type { Archive } from "./archive.ts";

/**
 * Deletes all files below a folder.
 *
 * @throws ArchiveError
 */
export async function deleteFolder(archive: Archive, folder: string): Promise<void> {
  const paths: string[] = [];
  for await (const { path } of archive.list(folder)) paths.push(path);
  for (const path of paths) await archive.delete(path);
}
