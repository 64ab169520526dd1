import { messageOf } from "@kindling/core-spec";
import { FOLDER, type Fault } from "../../plan/files/gathered-files.ts";

/** Why a file could not be read, to follow its path: in other words where Node's own message would repeat the path. */
export function readFailure(error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") {
    return { fault: "it does not exist", hint: "correct the path; a relative one starts in the current folder" };
  }
  if (code === "EISDIR") return FOLDER;
  if (code === "EACCES") return { fault: "it may not be read", hint: "ls -l shows who may read it" };
  return { fault: messageOf(error) };
}
