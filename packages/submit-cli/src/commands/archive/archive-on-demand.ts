import type { CommandContext } from "@kindling/command-line";
import type { KubeClient } from "@kindling/kube";
import type { Reach } from "@kindling/submit";
import type { FoundRecorder } from "./find-recorder.ts";
import { connectArchive, type OpenArchive, recorderIfThere } from "./open-archive.ts";

/** An archive that may not be needed. */
export interface ArchiveOnDemand {
  /** Begins to look for the recorder. Nothing is asked of it, and no token is made for it. */
  readonly look: () => void;
  /** Begins to open it. Errors are told by `opened`. */
  readonly begin: () => void;
  /** The archive; `undefined` where there is no recorder. */
  readonly opened: () => Promise<OpenArchive | undefined>;
  /** Ends what has begun. */
  readonly close: () => void;
}

/** @param client of the command, which is used for the archive as well if it can be */
export function archiveOnDemand(client: KubeClient, reach: Reach, context: CommandContext): ArchiveOnDemand {
  let looking: Promise<FoundRecorder | undefined> | undefined;
  let opening: Promise<OpenArchive | undefined> | undefined;
  const found = (): Promise<FoundRecorder | undefined> => (looking ??= recorderIfThere(reach, context, client));
  const opened = (): Promise<OpenArchive | undefined> => (opening ??= found().then(open));
  const open = (recorder: FoundRecorder | undefined): OpenArchive | undefined =>
    recorder === undefined ? undefined : connectArchive(recorder, "namespace", context);
  return {
    look: () => void found().catch(() => undefined),
    begin: () => void opened().catch(() => undefined),
    opened,
    close() {
      const begun: Promise<Closeable | undefined> | undefined = opening ?? looking;
      void begun?.then((what) => what?.close()).catch(() => undefined);
    },
  };
}

type Closeable = Pick<OpenArchive, "close">;
