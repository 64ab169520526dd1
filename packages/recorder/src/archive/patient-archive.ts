import { type Clock, within } from "@kindling/outside";
import { type Archive, ArchiveError } from "./archive.ts";

/**
 * An archive for readers: a store that does not answer is told to them after a time. What they were given as a stream goes on at
 * the speed of the store.
 */
export function patientArchive(archive: Archive, clock: Pick<Clock, "after">, mostMs: number): Archive {
  const answered = <T>(asked: Promise<T>): Promise<T> => within(clock, mostMs, asked, hasNotAnswered);
  const hasNotAnswered = (): never => {
    throw new ArchiveError(`${archive.name} has not answered for ${mostMs / 1000} s`, undefined);
  };

  return {
    ...archive,
    read: (path) => answered(archive.read(path)),
    async open(path, part) {
      const opening = archive.open(path, part);
      try {
        return await answered(opening);
      } catch (error) {
        // It may come later, and must be closed.
        void opening.then((stream) => stream?.destroy()).catch(() => undefined);
        throw error;
      }
    },
    async *list(folder) {
      const files = archive.list(folder)[Symbol.asyncIterator]();
      for (let next = await answered(files.next()); next.done !== true; next = await answered(files.next()))
        yield next.value;
    },
    folders: (folder) => answered(archive.folders(folder)),
  };
}
