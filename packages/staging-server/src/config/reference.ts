import type { ServerKey } from "../settings/server-key.ts";
import { SERVER_KEYS } from "./keys/server-keys.ts";
import type { ServerKeyName } from "./server-config.ts";

/** The reference of settings as Markdown, made from the declared schema. */
export function configReference(): string {
  const sections = new Map<string, string[]>();
  for (const name of Object.keys(SERVER_KEYS) as ServerKeyName[]) {
    const section = name.split(".")[0] ?? "";
    const rows = sections.get(section) ?? [];
    rows.push(row(name, SERVER_KEYS[name]));
    sections.set(section, rows);
  }
  const tables = [...sections].map(([section, rows]) => [`## ${section}`, "", ...HEADER, ...rows, ""].join("\n"));
  return [INTRODUCTION, ...tables].join("\n");
}

const INTRODUCTION = `# Settings

Each setting can stand in a file, in the environment, or on the command line; the latter wins. The file is a Java
properties file (\`--config FILE\` or \`KINDLING_STAGING_CONFIG\`), so that the old fork's can be used as it is: its keys
that are named here are understood, its other \`spark.*\` keys are passed over.

A setting \`listen.port\` is \`--listen-port\` as a flag and \`KINDLING_STAGING_LISTEN_PORT\` in the environment. Sizes are
written as \`512m\` or \`20g\`, durations as \`30s\`, \`10min\` or \`7d\`.
`;

const HEADER = ["| Setting | Type | Default | Meaning |", "| --- | --- | --- | --- |"];

function row(name: ServerKeyName, key: ServerKey<unknown>): string {
  const preset = key.default === undefined ? "unset" : key.default === "" ? "empty" : `\`${key.default}\``;
  const also = (key.alternatives ?? []).map((each) => ` The fork's \`${each}\`.`).join("");
  return `| \`${name}\` | ${key.type.name.replaceAll("|", "\\|")} | ${preset} | ${(key.doc + also).replaceAll("|", "\\|")} |`;
}
