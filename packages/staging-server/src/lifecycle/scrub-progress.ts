import type { Clock } from "@kindling/outside";
import { documentCollection } from "../metadata/document.ts";
import { isNumber, isOptional, isRecord, isText } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";

/** The progress of the scrub. */
export interface ScrubRecord {
  /** Service seconds. */
  readonly startedAt: number;
  /** The last blob of this pass; absent between two passes. */
  readonly cursor?: string;
  readonly lastPass?: number;
}

/** The progress of the scrub, in memory and from time to time in a document. */
export interface ScrubProgress {
  /** `undefined` before {@link load}, and if there was never a scrub. */
  readonly now: ScrubRecord | undefined;
  load(): Promise<void>;
  /** Notes the progress in memory; in the document only if it has not been written there for long. */
  reached(next: ScrubRecord): Promise<void>;
  save(next: ScrubRecord): Promise<void>;
}

const NAME = "scrub";
const SAVE_EVERY_MS = 300_000;

export function scrubProgress(
  documents: DocumentStore,
  timer: Clock,
  onError: (error: unknown) => void,
): ScrubProgress {
  const states = documentCollection(
    documents,
    "state",
    isRecord<ScrubRecord>({ startedAt: isNumber, cursor: isOptional(isText), lastPass: isOptional(isNumber) }),
  );
  let state: ScrubRecord | undefined;
  let savedAt = -Infinity;

  async function save(next: ScrubRecord): Promise<void> {
    state = next;
    savedAt = timer.monotonic();
    // The position need not be exact after a restart, and it is not worth an error on a full disk.
    const saved = await states.update(NAME, () => next, { relaxed: true }).catch(onError);
    if (saved === undefined) await states.create(NAME, next, { relaxed: true }).catch(() => undefined);
  }

  return {
    get now() {
      return state;
    },
    async load() {
      state = (await states.get(NAME))?.value;
    },
    async reached(next) {
      state = next;
      if (timer.monotonic() - savedAt > SAVE_EVERY_MS) await save(next);
    },
    save,
  };
}
