import { isObjectStoreError } from "@kindling/object-store";

/**
 * A failure of the storage behind a server. `no-space`: it is full. `read-only`: it can be read, but not written.
 * `unavailable`: it cannot be reached, or answers with errors that may pass. `damaged`: the requested bytes are not the
 * bytes that were stored. `conflict`: another writer changed a document first.
 */
export class StoreError extends Error {
  readonly kind: "no-space" | "read-only" | "unavailable" | "damaged" | "conflict";

  constructor(kind: StoreError["kind"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.kind = kind;
  }
}

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const PASSING: ReadonlySet<string> = new Set([
  "EIO",
  "ESTALE",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ETIMEDOUT",
  "EBUSY",
  "EACCES",
  "EPERM",
]);

/** What a file system's error means; an error that is a fault of this program stays as it is. */
export function fileSystemError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (FULL.has(code)) return new StoreError("no-space", "the disk is full", error);
  if (code === "EROFS") return new StoreError("read-only", "the disk is read-only", error);
  if (PASSING.has(code)) return new StoreError("unavailable", `the disk fails: ${code}`, error);
  return error;
}

/** What a failed request to an object store means; an error that is a fault of this program stays as it is. */
export function objectStoreError(error: unknown): unknown {
  if (!isObjectStoreError(error)) return error;
  return new StoreError(error.fault === "no-space" ? "no-space" : "unavailable", error.message, error);
}

/** Whether a file system's error says that there is no room, or none for this user. */
export function isFull(error: unknown): boolean {
  return FULL.has(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
