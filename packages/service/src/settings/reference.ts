import type { Setting, Settings } from "./setting.ts";

/**
 * The reference of settings as Markdown, made from their declarations: a table for each group of names with the same
 * beginning.
 *
 * @param introduction the text above the tables, with the page's title
 */
export function settingsReference<Config>(settings: Settings<Config>, introduction: string): string {
  const sections = new Map<string, string[]>();
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const section = name.split(".")[0] ?? "";
    const rows = sections.get(section) ?? [];
    rows.push(row(name, setting));
    sections.set(section, rows);
  }
  const tables = [...sections].map(([section, rows]) => [`## ${section}`, "", ...HEADER, ...rows, ""].join("\n"));
  return [introduction, ...tables].join("\n");
}

const HEADER = ["| Setting | Type | Default | Meaning |", "| --- | --- | --- | --- |"];

function row(name: string, { type, default: preset, doc, alternatives = [] }: Setting<unknown>): string {
  const otherwise = preset === undefined ? "unset" : preset === "" ? "empty" : `\`${preset}\``;
  const also = alternatives.map((each) => ` The fork's \`${each}\`.`).join("");
  return `| \`${name}\` | ${inCell(type.name)} | ${otherwise} | ${inCell(doc + also)} |`;
}

function inCell(words: string): string {
  return words.replaceAll("|", "\\|");
}
