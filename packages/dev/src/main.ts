import { createInterface } from "node:readline/promises";
import { isKindlingError, KindlingError } from "@kindling/core-spec";
import { commandHelp, help } from "./args/help.ts";
import { type CommandUsage, USAGES } from "./args/option-table.ts";
import type { CommandContext } from "./commands/context.ts";
import { printError } from "./output/print-error.ts";
import { processOutput } from "./output/output.ts";

type Command = (usage: CommandUsage, argv: readonly string[], context: CommandContext) => Promise<number>;

// Loaded when it is called: what tells of an instance needs nothing of what makes one.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import("./commands/up-command.ts")).upCommand,
  status: async () => (await import("./commands/status-command.ts")).statusCommand,
  down: async () => (await import("./commands/down-command.ts")).downCommand,
  run: async () => (await import("./commands/run-command.ts")).runCommand,
};

/** Runs one command line; the result is the exit code. */
async function main([name = "", ...rest]: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context;
  if (name === "serve") return await (await import("./commands/serve-command.ts")).serveCommand(rest, context);
  const usage = USAGES.find((one) => one.name === name);
  if (usage === undefined) {
    const isAsked = ["--help", "-h", "help"].includes(name);
    if (isAsked) output.out(help());
    else output.err(`${name === "" ? "" : `error: kindling dev has no command '${name}'\n\n`}${help()}`);
    return isAsked ? 0 : 1;
  }
  const end = rest.indexOf("--");
  const own = end < 0 ? rest : rest.slice(0, end);
  if (own.includes("--help") || own.includes("-h")) {
    output.out(commandHelp(usage));
    return 0;
  }
  const command = await COMMANDS[name]?.();
  return (await command?.(usage, rest, context)) ?? 1;
}

/** Asks on the terminal; the end of the input is a no. */
async function confirm(question: string, interrupt: AbortController): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While it asks, the terminal gives it Ctrl-C as a key.
  terminal.on("SIGINT", () => interrupt.abort("SIGINT"));
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: interrupt.signal })).trim());
  } catch {
    process.stderr.write("\n");
    if (interrupt.signal.aborted) throw new KindlingError("INTERRUPTED", "interrupted");
    return false;
  } finally {
    terminal.close();
  }
}

/** Runs the process's own command line. */
async function run(): Promise<void> {
  const argv = process.argv.slice(2);
  const output = processOutput(process.stderr, process.stdout);
  const interrupt = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // A second interrupt ends the process at once, as without a handler.
  const onInterrupt = (name: NodeJS.Signals): void => {
    for (const each of names) process.removeListener(each, onInterrupt);
    interrupt.abort(name);
  };
  for (const name of names) process.on(name, onInterrupt);
  // A reader that goes away, such as `head`, is no fault.
  process.stdout.on("error", () => process.exit(process.exitCode ?? 0));
  try {
    process.exitCode = await main(argv, {
      env: process.env,
      cwd: process.cwd(),
      output,
      signal: interrupt.signal,
      confirm: process.stdin.isTTY && process.stderr.isTTY ? (question) => confirm(question, interrupt) : undefined,
    });
  } catch (error) {
    const interrupted = isKindlingError(error) && error.code === "INTERRUPTED";
    if (!interrupted) printError(error, output, argv.includes("--verbose") || argv.includes("-v"));
    process.exitCode = interrupted ? 130 : 1;
  } finally {
    for (const name of names) process.removeListener(name, onInterrupt);
  }
}

await run();
