import { statSync, type Stats } from "node:fs";

/**
 * The status of a path; `undefined` if nothing is there, or if it cannot be examined: then the code that opens it reports
 * why.
 */
export function fileStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
