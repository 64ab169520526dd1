import {
  OVERRIDES,
  CONFIG_VARIABLE,
  DATA_NODES_VARIABLE,
  TERMINATION_LOG_VARIABLE,
  WEBHDFS_VARIABLE,
} from "../../src/config/environment.ts";
import type { Field } from "../../src/config/readers.ts";
import { CONFIG, SECTIONS } from "../../src/config/schema.ts";

/** The README's tables, made from the program's own data. */
export function referenceTables(): Readonly<Record<string, string>> {
  const sections = Object.entries(SECTIONS).map(([name, schema]) => [name, membersTable(schema)]);
  return {
    configuration: membersTable(CONFIG),
    ...Object.fromEntries(sections),
    environment: table(
      ["Variable", "Meaning"],
      [
        [`\`${CONFIG_VARIABLE}\``, "The configuration's path, where no argument names it."],
        ...OVERRIDES.map(({ variable, key }) => [`\`${variable}\``, `In place of \`${key}\`.`]),
        [`\`${WEBHDFS_VARIABLE}\``, "Besides `webhdfs`: `AUTHORITY=URI`, with commas in between."],
        [`\`${DATA_NODES_VARIABLE}\``, "In place of `dataNodeHosts`, with commas in between."],
        [`\`${TERMINATION_LOG_VARIABLE}\``, "In place of `terminationLog`."],
      ],
    ),
  };
}

function membersTable(schema: object): string {
  const rows = Object.entries(schema as Record<string, Field<unknown>>).map(([name, { value, doc, otherwise }]) => {
    const preset = otherwise === undefined ? "required" : otherwise.text;
    return [`\`${name}\``, value.type, preset, doc];
  });
  return table(["Member", "Type", "Default", ""], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
