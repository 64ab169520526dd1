import {
  type CommandContext,
  type CommandLine,
  formatObject,
  formatOf,
  paint,
  type Palette,
} from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { CONFIG_FORMATS } from "./output-formats.ts";
import { keyReference, type KeyEntry } from "./key-reference.ts";

/** `kindling config [KEY]`: one key in full, or all that contain the text. */
export async function configCommand(line: CommandLine, { output }: CommandContext): Promise<number> {
  const format = formatOf(line, CONFIG_FORMATS);
  const [wanted] = line.operands;
  const all = keyReference();
  const found = wanted === undefined ? all : select(all, wanted);
  if (wanted !== undefined && found.length === 0) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${wanted}: no key that has to do with Kubernetes is called like that`,
      {
        hint: "keys of Spark's own engine are passed on as they are; see Spark's configuration guide",
      },
    );
  }
  if (format === "json" || format === "yaml") output.out(await formatObject(found, format));
  else if (format === "markdown") output.out(markdown(found));
  else output.out(found.length === 1 ? inFull(found, output.onOut) : overview(found, output.onOut));
  return 0;
}

/** A key by its name, by a name that one of its family has, or all that contain the text. */
function select(all: readonly KeyEntry[], wanted: string): KeyEntry[] {
  const exact = all.filter(({ key, alternatives }) => key === wanted || alternatives.includes(wanted));
  if (exact.length > 0) return exact;
  const family = all.filter(
    ({ key }) => key.includes("<") && wanted.startsWith(key.slice(0, key.indexOf("<"))) && !wanted.endsWith("."),
  );
  return family.length > 0 ? family : all.filter(({ key }) => key.toLowerCase().includes(wanted.toLowerCase()));
}

function overview(keys: readonly KeyEntry[], palette: Palette): string {
  const width = Math.max(...keys.map(({ key }) => key.length));
  return keys
    .map(
      ({ key, default: fallback }) =>
        `${paint(palette, "bold", key)}${fallback === undefined ? "" : `${" ".repeat(width - key.length)}  ${fallback}`}\n`,
    )
    .join("");
}

function inFull(keys: readonly KeyEntry[], palette: Palette): string {
  return keys
    .map((entry) => {
      const rows = [
        ["type", entry.type],
        ["default", entry.default ?? "none"],
        ["since", entry.since],
        ["until", entry.until],
        ["read by", entry.readBy.join(", ")],
        ["formerly", entry.alternatives.join(", ") || undefined],
      ].flatMap(([name = "", value]) => (value === undefined ? [] : [`  ${name.padEnd(8)} ${value}`]));
      return `${paint(palette, "bold", entry.key)}\n${rows.join("\n")}\n\n  ${entry.doc}\n`;
    })
    .join("\n");
}

/** The table that the documentation holds. */
export function markdown(keys: readonly KeyEntry[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  const rows = keys.map(
    ({ key, type, default: fallback, since, until, readBy, doc }) =>
      `| \`${key}\` | ${cell(type)} | ${fallback === undefined ? "" : `\`${fallback}\``} | ${since ?? ""}${until === undefined ? "" : ` – ${until}`} | ${readBy.join(", ")} | ${cell(doc)} |\n`,
  );
  return `| key | type | default | since | read by | meaning |\n|---|---|---|---|---|---|\n${rows.join("")}`;
}
