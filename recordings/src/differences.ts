import { isObject, type Json } from "./normalize.ts";

/** Reports, one line for each field, where `got` differs from `want`. Lists of named things are compared by name. */
export function differences(want: Json | undefined, got: Json | undefined, path = ""): string[] {
  if (got === undefined) return want === undefined ? [] : [`${path}: missing (want ${show(want)})`];
  if (want === undefined) return [`${path}: extra (${show(got)})`];
  if (isObject(want) && isObject(got)) {
    const keys = [...new Set([...Object.keys(want), ...Object.keys(got)])].sort();
    return keys.flatMap((key) => differences(want[key], got[key], path === "" ? key : `${path}.${key}`));
  }
  if (Array.isArray(want) && Array.isArray(got)) {
    const [wanted, present] = [byName(want), byName(got)];
    if (wanted !== undefined && present !== undefined) return differences(wanted, present, path);
    if (want.length !== got.length) return [`${path}: want ${show(want)}, got ${show(got)}`];
    return want.flatMap((item: Json, index) => differences(item, got[index], `${path}[${index}]`));
  }
  return want === got ? [] : [`${path}: want ${show(want)}, got ${show(got)}`];
}

function byName(list: readonly Json[]): Json | undefined {
  const names = list.map((item) => (isObject(item) ? (item["mountPath"] ?? item["name"] ?? item["key"]) : undefined));
  const unique = names.every((name) => typeof name === "string") && new Set(names).size === names.length;
  return unique ? Object.fromEntries(list.map((item, index) => [String(names[index]), item])) : undefined;
}

function show(value: Json): string {
  return JSON.stringify(value).slice(0, 200);
}
