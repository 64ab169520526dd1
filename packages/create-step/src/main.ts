import { basename, relative, resolve } from "node:path";
import {
  asksForHelp,
  commandHelp,
  HELP_OPTION,
  parseCommandLine,
  runProcess,
  type CommandContext,
  type CommandUsage,
} from "@kindling/command-line";
import { createPackage } from "./create-package.ts";
import type { Language } from "./manifest.ts";
import { namesOf } from "./names.ts";

const CALLED_AS = "npm create @kindling/step";

const USAGE: CommandUsage = {
  name: "create-step",
  summary: "make a package with a step for Kindling's submissions, in FOLDER or in this one",
  operands: { shown: "[FOLDER]", most: 1 },
  options: [
    { name: "name", value: "NAME", once: true, help: "the package's name; the folder's if unset" },
    { name: "scope", value: "SCOPE", once: true, help: "the scope of that name, such as @example" },
    { name: "typescript", help: "in TypeScript; else it is JavaScript, which needs no build" },
    HELP_OPTION,
  ],
  examples: [`${CALLED_AS} cost-center`, `${CALLED_AS} cost-center -- --scope @example --typescript`],
};

/** The command `create-step`, which npm runs. It asks no questions: everything has a default. */
async function main(args: readonly string[], { outside, output }: CommandContext): Promise<number> {
  if (asksForHelp(args)) {
    output.out(commandHelp(USAGE, CALLED_AS, output.onOut));
    return 0;
  }
  const line = parseCommandLine(USAGE, args, CALLED_AS);
  const folder = resolve(outside.cwd, line.operands[0] ?? ".");
  const language: Language = line.has("typescript") ? "typescript" : "javascript";
  const names = namesOf(basename(folder), line.value("name"), line.value("scope"));
  const files = createPackage(folder, names, language);
  const place = relative(outside.cwd, folder);
  const entry = language === "typescript" ? "./dist/src/index.js" : "./src/index.js";
  output.out(`${names.package} is made, with the step ${names.step}:\n${files.map((file) => `  ${file}\n`).join("")}
Next:
${place === "" ? "" : `  cd ${place}\n`}  npm install
  npm test
  npx kindling submit --dry-run --executor --steps ${entry} \\
    --conf spark.${names.step}.owner=me \\
    --conf spark.kubernetes.container.image=apache/spark:4.3.0 local:///app.py
`);
  return 0;
}

void runProcess(main);
