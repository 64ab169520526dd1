import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault } from "./archive-entry.ts";

/** Counts what an archive makes: files, links and directories, including directories that none of its entries names. */
export interface MadeLimit {
  /** So far. */
  readonly count: number;
  /** Called before each thing is made. @throws ArchiveFault if it would be one too many */
  add(): void;
}

export function madeLimit({ maxUnpackedFiles }: Limits): MadeLimit {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add() {
      if (++count > maxUnpackedFiles) throw tooMany(maxUnpackedFiles);
    },
  };
}

export function tooMany(maxUnpackedFiles: number): ArchiveFault {
  return new ArchiveFault(
    `it makes more than ${maxUnpackedFiles} files, links and directories (limits.maxUnpackedFiles)`,
  );
}
