import type { ByteRange } from "../stores/blob-store.ts";

/**
 * The one range that a `Range` field asks for (RFC 9110, 14.1.2).
 *
 * @returns `whole` for no range, several ranges, other units and malformed fields, all of which may be ignored;
 * `unsatisfiable` if no byte of the file is in it
 */
export function parseRange(field: string | undefined, size: number): ByteRange | "whole" | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(field ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const suffix = Math.min(Number(last), size);
    return suffix === 0 ? "unsatisfiable" : { start: size - suffix, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return "whole";
  return start >= size ? "unsatisfiable" : { start, end };
}
