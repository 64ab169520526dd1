/**
 * Called before each step whose interruption must do no harm. Production passes nothing; crash tests pass a function
 * that ends the process at a chosen step.
 */
export type StepHook = (step: DiskStep) => void;

export type DiskStep =
  | "ingest-create"
  | "ingest-write"
  | "publish-rename"
  | "publish-done"
  | "blob-sync"
  | "blob-seal"
  | "document-write"
  | "document-sync"
  | "document-rename"
  | "document-done"
  | "document-delete"
  | "blob-delete";

export const DISK_STEPS: readonly DiskStep[] = [
  "ingest-create",
  "ingest-write",
  "publish-rename",
  "publish-done",
  "blob-sync",
  "blob-seal",
  "document-write",
  "document-sync",
  "document-rename",
  "document-done",
  "document-delete",
  "blob-delete",
];
