import { isDeepStrictEqual } from "node:util";

/** @returns {string[]} the paths at which two values differ, each with what both have there */
export function differences(theirs, ours, path = "") {
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (isRecord(theirs) && isRecord(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differences(theirs[key], ours[key], `${path}.${key}`));
  }
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    return theirs.flatMap((value, index) => differences(value, ours[index], `${path}[${index}]`));
  }
  return [`${path}: stock has ${JSON.stringify(theirs)}, ours ${JSON.stringify(ours)}`];
}

function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
