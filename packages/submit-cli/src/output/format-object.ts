/** Writes a value as JSON or YAML, with a line end. */
export async function formatObject(value: unknown, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify(value, undefined, 2)}\n`;
  return (await import("./format-yaml.ts")).formatYaml([value]);
}
