import { runProcess, runProgram } from "@kindling/command-line";
import { DEV } from "./commands/command-table.ts";

await runProcess(
  async (argv, context) => {
    if (argv[0] !== "serve") return await runProgram(DEV, argv, context);
    return await (await import("./commands/serve-command.ts")).serveCommand(argv.slice(1), context);
  },
  // A process that runs for a terminal ends with it.
  { signals: ["SIGINT", "SIGTERM", "SIGHUP"] },
);
