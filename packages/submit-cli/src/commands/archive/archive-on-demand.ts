import type { CommandContext } from "@kindling/command-line";
import type { Reach } from "@kindling/submit";
import { archiveIfThere, type OpenArchive } from "./open-archive.ts";

/** An archive that may not be needed. */
export interface ArchiveOnDemand {
  /** Begins to open it. Errors are told by `opened`. */
  readonly begin: () => void;
  /** The archive; `undefined` where there is no recorder. */
  readonly opened: () => Promise<OpenArchive | undefined>;
  /** Ends what has begun. */
  readonly close: () => void;
}

export function archiveOnDemand(reach: Reach, context: CommandContext): ArchiveOnDemand {
  let opening: Promise<OpenArchive | undefined> | undefined;
  const opened = (): Promise<OpenArchive | undefined> => (opening ??= archiveIfThere(reach, context));
  return {
    begin: () => void opened().catch(() => undefined),
    opened,
    close: () => void opening?.then((archive) => archive?.close()).catch(() => undefined),
  };
}
