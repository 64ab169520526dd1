import { runCommand, runProcess } from "@kindling/command-line";
import { DIFFERENTIAL } from "./command.ts";

const program = {
  name: "npm run",
  about: "Random command lines for spark-submit",
  commands: [DIFFERENTIAL],
  examples: [],
};

await runProcess((argv, context) => runCommand(program, DIFFERENTIAL, argv, context));
