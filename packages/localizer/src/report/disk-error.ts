import { messageOf } from "@kindling/core-spec";
import { LocalizerError } from "./localizer-error.ts";

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "the volume is full: give it more room (the emptyDir's sizeLimit, the pod's ephemeral-storage)",
  EDQUOT: "the quota is used up: give the volume more room",
  EROFS: "the volume is mounted read-only: mount it writable in the init container",
  EACCES: "the init container's user may not write there: set fsGroup, or runAsUser",
  EPERM: "the init container's user may not do that there: set fsGroup, or runAsUser",
  ENAMETOOLONG: "the name is too long for this file system",
  EMFILE: "the process may open too few files: raise its limit (RLIMIT_NOFILE), or lower parallel",
  ENFILE: "the node has too many open files",
  EISDIR: "there is a directory of that name already: use an empty volume",
  ENOTEMPTY: "there is a directory of that name already: use an empty volume",
};

/**
 * Turns a failed call of the file system into an error for the user; paths that only this process uses are not shown.
 *
 * @param hint used if there is no hint for this kind of failure
 */
export function diskError(path: string, error: unknown, hint?: string): LocalizerError {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Node's message ends with the given path, which may be that of a file handle.
  const what = code === undefined ? messageOf(error) : messageOf(error).replace(/, \w+( '.*)?$/s, "");
  const call = syscall === undefined || code === undefined ? "" : ` (${syscall})`;
  return new LocalizerError("disk", `cannot write ${path}: ${what}${call}`, {
    hint: (code === undefined ? undefined : HINTS[code]) ?? hint,
    cause: error,
  });
}

/** Whether an error comes from a call of the file system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}
