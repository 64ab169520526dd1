import { messageOf } from "@kindling/core-spec";

/** Why a file could not be read, behind its path: in words where Node's own message would repeat the path. */
export function readFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "it may not be read";
  return messageOf(error);
}
