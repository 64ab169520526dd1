import { examples, heading, section, type Palette } from "@kindling/command-line";
import { exitCodeRows } from "@kindling/core-spec";
import { SUBMIT_EXAMPLES } from "./submit-examples.ts";
import { type Flag, FLAGS } from "@kindling/spark-arguments";

const EXPLAIN_EXAMPLES = [
  "kindling explain --conf spark.kubernetes.driver.podTemplateFile=driver.yaml local:///opt/app/etl.py",
  "kindling explain --executor --conf spark.executor.memory=4g local:///opt/app/etl.py",
];

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
    section(palette, "Exit codes", exitCodeRows()),
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

function flagRows(name: Flag["section"]): (readonly [string, string])[] {
  return FLAGS.filter((flag) => flag.section === name).map((flag) => {
    const short = flag.short === undefined ? "    " : `${flag.short}, `;
    return [`${short}${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`, flag.help] as const;
  });
}
