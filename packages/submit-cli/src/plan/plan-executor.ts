import type { Prepared } from "../submit.ts";
export function planExecutor(_prepared: Prepared): { objects: never[] } {
  return { objects: [] };
}
