import {
  type CommandContext,
  type CommandLine,
  formatObject,
  formatOf,
  paint,
  type Palette,
} from "@kindling/command-line";
import { closest, KindlingError } from "@kindling/core-spec";
import { CONFIG_FORMATS } from "./output-formats.ts";
import { effectiveEntries, meantByKey, redact, unknownKeys, type EffectiveEntry } from "@kindling/submit";
import { table } from "../output/table.ts";
import { confOf } from "./reach-options.ts";
import { keyReference, type KeyEntry } from "./key-reference.ts";

/** `kindling config [KEY]`: one key in full, or all keys that contain the text. */
export async function configCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { output } = context;
  const format = formatOf(line, CONFIG_FORMATS);
  const [wanted] = line.operands;
  if (line.has("effective")) return await showEffective(line, format, wanted, context);
  const all = keyReference();
  const found = wanted === undefined ? all : select(all, wanted);
  if (wanted !== undefined && found.length === 0) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${wanted}: no key that has to do with Kubernetes is called like that`,
      {
        hint:
          (await meantBy(wanted, all)) ??
          "keys of Spark's own engine are passed on as they are; see Spark's configuration guide",
      },
    );
  }
  if (format === "json" || format === "yaml") output.out(await formatObject(found, format));
  else if (format === "markdown") output.out(markdown(found));
  else output.out(found.length === 1 ? inFull(found, output.onOut) : overview(found, output.onOut));
  return 0;
}

/** The entries of a submission from here, each with its origin. */
async function showEffective(
  line: CommandLine,
  format: (typeof CONFIG_FORMATS)[number],
  wanted: string | undefined,
  context: CommandContext,
): Promise<number> {
  const { output, outside } = context;
  const propertiesFile = line.value("properties-file");
  const request = { conf: confOf(line), ...(propertiesFile !== undefined && { propertiesFile }) };
  const own = effectiveEntries(request, outside);
  const { installedEntries } = await import("./installed-entries.ts");
  const entries = [...own, ...(await installedEntries(own, context))]
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .filter(({ key }) => wanted === undefined || key.includes(wanted))
    .map(withoutSecrets);
  if (format === "json" || format === "yaml") output.out(await formatObject(entries, format));
  else if (entries.length === 0) output.err("no configuration is given anywhere\n");
  else output.out(table(entries.map(effectiveRow)));
  const named = Object.fromEntries(own.map(({ key, value }) => [key, value]));
  for (const remark of await unknownKeys(named, [])) output.err(`${paint(output, "yellow", "note:")} ${remark}\n`);
  return 0;
}

function effectiveRow({ key, value, origin, hidden }: EffectiveEntry): string[] {
  const others = hidden.map((one) => `${one.value} of ${one.origin}`).join(", ");
  return [key, value, others === "" ? origin : `${origin}, before ${others}`];
}

function withoutSecrets({ key, value, origin, hidden }: EffectiveEntry): EffectiveEntry {
  const shown = (text: string): string => redact({ [key]: text })[key] ?? "";
  return { key, value: shown(value), origin, hidden: hidden.map((one) => ({ ...one, value: shown(one.value) })) };
}

/** A key by its name, by a name of its family, or all keys that contain the text. */
function select(all: readonly KeyEntry[], wanted: string): KeyEntry[] {
  const exact = all.filter(({ key, alternatives }) => key === wanted || alternatives.includes(wanted));
  if (exact.length > 0) return exact;
  const family = all.filter(
    ({ key }) => key.includes("<") && wanted.startsWith(key.slice(0, key.indexOf("<"))) && !wanted.endsWith("."),
  );
  return family.length > 0 ? family : all.filter(({ key }) => key.toLowerCase().includes(wanted.toLowerCase()));
}

/** What a user looks for after mistyping a key, or a word of keys such as `memry`. */
async function meantBy(wanted: string, all: readonly KeyEntry[]): Promise<string | undefined> {
  const key = await meantByKey(wanted);
  if (key !== undefined) return key;
  const words = new Set(
    all.flatMap(({ key }) => key.split(/[.<>]|(?<=[a-z])(?=[A-Z])/)).map((word) => word.toLowerCase()),
  );
  const near = closest(wanted.toLowerCase(), words, Math.max(1, Math.floor(wanted.length / 3)));
  return near === undefined || near === ""
    ? undefined
    : `did you mean ${near}? kindling config ${near} lists those keys`;
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

/** The table for the documentation. */
export function markdown(keys: readonly KeyEntry[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  const rows = keys.map(
    ({ key, type, default: fallback, since, until, readBy, doc }) =>
      `| \`${key}\` | ${cell(type)} | ${fallback === undefined ? "" : `\`${fallback}\``} | ${since ?? ""}${until === undefined ? "" : ` – ${until}`} | ${readBy.join(", ")} | ${cell(doc)} |\n`,
  );
  return `| key | type | default | since | read by | meaning |\n|---|---|---|---|---|---|\n${rows.join("")}`;
}
