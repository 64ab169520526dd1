import { readFileSync } from "node:fs";
import { processTable } from "../../../src/runtime/process/host/process-table.ts";

/** Processes of this machine that have a word in their command line. */
export function processesWith(word: string): number[] {
  return processTable().flatMap(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word) ? [pid] : [];
    } catch {
      return [];
    }
  });
}
