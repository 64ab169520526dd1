/**
 * A failure of the storage behind a server. `no-space`: it is full. `unavailable`: it cannot be reached or answers with
 * errors that may pass. `conflict`: somebody else changed a document first.
 */
export class StoreError extends Error {
  readonly kind: "no-space" | "unavailable" | "conflict";

  constructor(kind: StoreError["kind"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.kind = kind;
  }
}

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const PASSING: ReadonlySet<string> = new Set(["EIO", "EROFS", "ESTALE", "EMFILE", "ENFILE", "ETIMEDOUT", "EBUSY"]);

/** What a file system's error means; an error that is a fault of this program stays as it is. */
export function fileSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  if (FULL.has(error.code)) return new StoreError("no-space", "the disk is full", error);
  if (PASSING.has(error.code)) return new StoreError("unavailable", `the disk fails: ${error.code}`, error);
  return error;
}
