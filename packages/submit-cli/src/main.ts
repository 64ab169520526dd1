import { createRedactor, isKindlingError } from "@kindling/core-spec";
import { parseArguments } from "./args/parse-arguments.ts";
import type { CommandContext } from "./commands/command.ts";
import { REDACTED } from "./output/redact.ts";
import { paint, processOutput } from "./output/terminal.ts";
import { versionText } from "./version.ts";

type Command = (argv: readonly string[], context: CommandContext) => Promise<number>;

// Loaded when it is called: a command must start fast, and needs none of the others.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  submit: async () => (await import("./commands/submit-command.ts")).submitCommand,
  explain: async () => (await import("./commands/explain-command.ts")).explainCommand,
  kill: async () => (await import("./commands/kill-command.ts")).killCommand,
  status: async () => (await import("./commands/status-command.ts")).statusCommand,
  list: async () => (await import("./commands/list-command.ts")).listCommand,
  logs: async () => (await import("./commands/logs-command.ts")).logsCommand,
  staging: async () => (await import("./commands/staging-command.ts")).stagingCommand,
  config: async () => (await import("./commands/config-command.ts")).configCommand,
  completion: async () => (await import("./commands/completion-command.ts")).completionCommand,
  // Not in the help: the package @kindling/spark-submit runs it.
  "spark-submit": async () => {
    const { sparkSubmitCommand } = await import("./drop-in/spark-submit-command.ts");
    return (argv, context) => sparkSubmitCommand(argv, context, process.argv[1] ?? "");
  },
};

/** Commands whose arguments end with an application's own. */
const TAKES_AN_APPLICATION: ReadonlySet<string> = new Set(["submit", "explain", "spark-submit"]);

/** Runs one command line; the result is the exit code. */
async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...rest] = argv;
  const { output } = context;
  if (name === "--version" || name === "version") {
    output.out(`${versionText()}\n`);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) return otherCommand(name, rest, context);
  if (!TAKES_AN_APPLICATION.has(name) && (rest.includes("--help") || rest.includes("-h"))) {
    const { COMMAND_USAGES } = await import("./commands/command-table.ts");
    const { commandHelp } = await import("./args/help.ts");
    for (const usage of COMMAND_USAGES) if (usage.name === name) output.out(commandHelp(usage, output.onOut));
    return 0;
  }
  return (await load())(rest, context);
}

async function otherCommand(name: string, rest: readonly string[], context: CommandContext): Promise<number> {
  const { env, output, signal } = context;
  const ownScript = process.argv[1] ?? "";
  const external = await import("./commands/external-commands.ts");
  const executable = external.findExternalCommand(name, env, ownScript);
  if (executable !== undefined && name !== "help") return external.runExternalCommand(executable, rest, env, signal);
  const { help } = await import("./args/help.ts");
  const others = external.externalCommands(env, ownScript);
  if (name === "--help" || name === "-h" || name === "help") {
    output.out(help(output.onOut, others));
    return 0;
  }
  if (name !== "") output.err(`${paint(output, "red", "error:")} there is no command '${name}'\n`);
  const home = external.packageOfCommand(name);
  if (home !== undefined)
    output.err(`${paint(output, "dim", "hint:")} it comes with ${home}: npm install --global ${home}\n`);
  else output.err(`${name === "" ? "" : "\n"}${help(output, others)}`);
  return 1;
}

/** Whether the user wants to know more; the flags behind a submission's application are the application's. */
function isVerbose([command, ...rest]: readonly string[]): boolean {
  const isGiven = rest.includes("--verbose") || rest.includes("-v");
  if (!isGiven || (command !== "submit" && command !== "explain")) return isGiven;
  try {
    return parseArguments(rest).switches.has("--verbose");
  } catch {
    return isGiven;
  }
}

/** Runs the process's own command line. */
async function run(): Promise<void> {
  const argv = process.argv.slice(2);
  const secrets = createRedactor(REDACTED);
  const output = processOutput(process.env, secrets);
  const interrupt = new AbortController();
  // A second interrupt ends the process at once, as without a handler.
  const onInterrupt = (name: NodeJS.Signals): void => {
    process.removeListener("SIGINT", onInterrupt);
    process.removeListener("SIGTERM", onInterrupt);
    interrupt.abort(name);
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  // A reader that goes away, such as `head`, is no fault.
  process.stdout.on("error", () => process.exit(process.exitCode ?? 0));
  try {
    process.exitCode = await main(argv, {
      env: process.env,
      cwd: process.cwd(),
      output,
      secrets,
      signal: interrupt.signal,
      now: Date.now,
    });
  } catch (error) {
    const interrupted = isKindlingError(error) && error.code === "INTERRUPTED";
    if (!interrupted) {
      const { printError } = await import("./output/print-error.ts");
      printError(error, output, isVerbose(argv));
    }
    process.exitCode = interrupted ? 130 : 1;
  } finally {
    process.removeListener("SIGINT", onInterrupt);
    process.removeListener("SIGTERM", onInterrupt);
  }
}

void run();
