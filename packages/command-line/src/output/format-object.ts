import { UNSEEN } from "./unseen.ts";

/**
 * Writes a value as JSON or YAML, with a line end. The text cannot move a terminal's cursor and has no invisible characters.
 */
export async function formatObject(value: unknown, format: "json" | "yaml"): Promise<string> {
  return format === "json" ? formatJson(value) : (await import("./format-yaml.ts")).formatYaml([value]);
}

/** JSON in which all control characters are written as escapes (RFC 8259, 7). */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return `${text.replace(UNSEEN, (character) => Array.from({ length: character.length }, (_, unit) => escape(character.charCodeAt(unit))).join(""))}\n`;
}

function escape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
