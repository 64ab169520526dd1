import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "@kindling/spark-application/read";

/** @returns the paths where two values differ, each with both values there */
export function differences(theirs: unknown, ours: unknown, path: string = ""): string[] {
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (isJsonObject(theirs) && isJsonObject(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differences(theirs[key], ours[key], `${path}.${key}`));
  }
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    return theirs.flatMap((value, index) => differences(value, ours[index], `${path}[${index}]`));
  }
  return [`${path}: stock has ${JSON.stringify(theirs)}, ours ${JSON.stringify(ours)}`];
}
