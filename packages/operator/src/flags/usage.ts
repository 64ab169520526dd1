import type { CommandUsage, Option } from "@kindling/command-line";
import { FLAGS } from "./flag-table.ts";
import type { Flag, FlagKind } from "./flag.ts";

const VALUES: Readonly<Record<FlagKind, string | undefined>> = {
  switch: undefined,
  integer: "N",
  number: "N",
  duration: "DURATION",
  text: "TEXT",
  list: "LIST",
  numbers: "LIST",
  json: "JSON",
  gates: "GATE=true",
};

function optionOf({ name, kind, default: value, doc }: Flag): Option {
  const shown = VALUES[kind];
  const help = value === "" || value === "false" ? doc : `${doc} (${value})`;
  return { name, help, ...(shown !== undefined && { value: shown }) };
}

/** The help of `kindling-operator`: the flags that have an effect. */
export const USAGE: CommandUsage = {
  name: "kindling-operator controller start",
  summary: "run the SparkApplications and ScheduledSparkApplications of a cluster",
  options: FLAGS.filter(({ withoutEffect }) => withoutEffect === undefined).map(optionOf),
  examples: [
    "kindling-operator controller start --namespaces=spark-jobs",
    "kindling-operator controller start --leader-election --leader-election-lock-namespace=spark-operator",
    "kindling-operator controller start --enable-metrics --metrics-bind-address=:8080 --metrics-labels=team",
  ],
};

/** The reference of flags as Markdown, made from the declared table. */
export function flagsReference(): string {
  const effective = FLAGS.filter(({ withoutEffect }) => withoutEffect === undefined);
  const ignored = FLAGS.filter(({ withoutEffect }) => withoutEffect !== undefined);
  return `# Flags of \`kindling-operator controller start\`

They are those of kubeflow's operator, and a few more. A switch is \`--flag\` or \`--flag=false\`, any other flag \`--flag=value\` or \`--flag value\`;
lists have commas between their entries, or are given several times. Durations are written as \`30s\` or \`1h30m\`. A flag that does not exist is an error.

| Flag | Default | What it does |
| --- | --- | --- |
${effective.map((flag) => `| \`--${flag.name}\` | ${flag.default === "" ? "" : `\`${flag.default}\``} | ${flag.doc} |`).join("\n")}

## Accepted without an effect

Each of these is logged once at the start.

| Flag | Why |
| --- | --- |
${ignored.map((flag) => `| \`--${flag.name}\` | ${flag.withoutEffect ?? ""} |`).join("\n")}
`;
}
