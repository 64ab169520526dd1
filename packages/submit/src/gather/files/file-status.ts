import { statSync, type Stats } from "node:fs";

/** What is at a path; `undefined` if there is nothing, or nothing that can be looked at: then whoever opens it says why. */
export function fileStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
