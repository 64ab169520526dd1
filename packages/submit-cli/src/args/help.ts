import { COMMAND_USAGES } from "../commands/command-table.ts";
import type { CommandUsage } from "../commands/options.ts";
import { paint, type Palette } from "../output/terminal.ts";
import { FLAGS, type Flag } from "./flag-table.ts";

const SUBMIT_EXAMPLES = [
  "kindling submit --class org.apache.spark.examples.SparkPi --conf spark.kubernetes.container.image=apache/spark:4.3.0 \\",
  "    local:///opt/spark/examples/jars/spark-examples.jar 1000",
  "kindling submit --master k8s://https://host:6443 --name etl --num-executors 5 --logs local:///app/etl.py 2026-11-21",
  "kindling submit --dry-run -o yaml … | kubectl apply -f -",
  "kindling submit --submission-id etl-2026-11-21 …      # however often it is called, there is one application",
];

const EXPLAIN_EXAMPLES = [
  "kindling explain --conf spark.kubernetes.driver.podTemplateFile=driver.yaml local:///opt/app/etl.py",
  "kindling explain --executor --conf spark.executor.memory=4g local:///opt/app/etl.py",
];

/**
 * The text of `kindling --help`.
 *
 * @param others names of commands that other packages bring
 */
export function help(palette: Palette, others: readonly string[] = []): string {
  const commands: (readonly [string, string])[] = [
    ["submit", "submit an application: takes spark-submit's own arguments"],
    ["explain", "show an application's objects, with the step that sets each field"],
    ...COMMAND_USAGES.map(({ name, summary }) => [name, summary] as const),
  ];
  return [
    "Apache Spark on Kubernetes, without a JVM in the way.\n",
    heading(palette, "Usage", "kindling COMMAND [flags]"),
    section(palette, "Commands", commands),
    ...(others.length === 0 ? [] : [section(palette, "Commands of other packages", others.map(otherRow))]),
    section(palette, "Flags", [
      ["--help", "this text; kindling COMMAND --help tells of a command"],
      ["--version", "the version, and the Spark versions it knows"],
    ]),
    examples(palette, SUBMIT_EXAMPLES),
    exitCodes(palette),
  ].join("\n");
}

function otherRow(name: string): readonly [string, string] {
  return [name, `runs kindling-${name}`];
}

const SECTIONS: readonly [Flag["section"], string][] = [
  ["application", "Application"],
  ["files", "Files"],
  ["resources", "Resources"],
  ["configuration", "Configuration"],
  ["control", "Applications that are there"],
  ["kindling", "Beyond spark-submit"],
  ["other", "Other"],
];

/** The text of `kindling submit --help`. */
export function submitHelp(palette: Palette): string {
  return [
    "Submits an application in cluster mode, and follows it to its end. Takes spark-submit's own arguments.\n",
    heading(palette, "Usage", "kindling submit [flags] <jar | Python file | R file> [arguments]"),
    ...SECTIONS.map(([name, title]) => section(palette, title, flagRows(name))),
    examples(palette, SUBMIT_EXAMPLES),
    exitCodes(palette),
  ].join("\n");
}

/** The text of `kindling explain --help`. */
export function explainHelp(palette: Palette): string {
  return [
    "Prints the objects that a submission would create, with the name of the step that set it behind each value.\n",
    heading(
      palette,
      "Usage",
      "kindling explain [--executor] [-o yaml|json] [flags of submit] <application> [arguments]",
    ),
    examples(palette, EXPLAIN_EXAMPLES),
  ].join("\n");
}

/** The text of `kindling COMMAND --help` for the other commands. */
export function commandHelp(
  { name, summary, operands, options, examples: shown }: CommandUsage,
  palette: Palette,
): string {
  const rows = options.map((option) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return [`${short}--${option.name}${option.value === undefined ? "" : ` ${option.value}`}`, option.help] as const;
  });
  return [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n`,
    heading(palette, "Usage", `kindling ${name} [flags]${operands === "" ? "" : ` ${operands}`}`),
    section(palette, "Flags", rows),
    examples(palette, shown),
  ].join("\n");
}

function flagRows(name: Flag["section"]): (readonly [string, string])[] {
  return FLAGS.filter((flag) => flag.section === name).map((flag) => {
    const short = flag.short === undefined ? "    " : `${flag.short}, `;
    return [`${short}${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`, flag.help] as const;
  });
}

function heading(palette: Palette, title: string, text: string): string {
  return `${paint(palette, "bold", `${title}:`)} ${text}\n`;
}

function section(palette: Palette, title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return `${paint(palette, "bold", `${title}:`)}\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("")}`;
}

function examples(palette: Palette, shown: readonly string[]): string {
  return `${paint(palette, "bold", "Examples:")}\n${shown.map((example) => `  ${example}\n`).join("")}`;
}

function exitCodes(palette: Palette): string {
  return section(palette, "Exit codes", [
    ["0", "the application succeeded, or was only to be submitted"],
    ["1", "it could not be submitted, its driver failed without a code of its own, or it was deleted"],
    ["130", "interrupted; the application goes on"],
    ["other", "the driver's own exit code"],
  ]);
}
