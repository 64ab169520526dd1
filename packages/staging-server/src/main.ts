import { readFileSync } from "node:fs";
import { harmlessText, isKindlingError, KindlingError, messageOf } from "@kindling/core-spec";
import { connectCluster } from "./cluster/connect-cluster.ts";
import { loadConfig } from "./config/load-config.ts";
import { helpText } from "./config/reference.ts";
import { startStagingServer } from "./staging-server.ts";

/** The command `kindling-staging-server`. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(helpText());
    return;
  }
  const config = loadConfig({ args, env: process.env, readFile });
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  // From the start: a server that is told to stop while it starts, stops when it has.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end(0));
  const server = await startStagingServer(config, {
    env: process.env,
    log: process.stdout,
    connectCluster,
    onFatal(error) {
      report(error);
      end(1);
    },
  });
  const code = await ended;
  await server.stop();
  process.exitCode = code;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** One line for people, on stderr; the log goes to stdout. */
function report(error: unknown): void {
  const lines = isKindlingError(error) ? [error.message, error.hint] : [messageOf(error), ...framesOf(error)];
  const [first = "", ...rest] = lines.filter((line) => line !== undefined).map((line) => harmlessText(line));
  process.stderr.write(`${[`kindling-staging-server: ${first}`, ...rest.map((line) => `  ${line}`)].join("\n")}\n`);
}

/** Where a fault that was not foreseen came from, for whoever will look into it. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack.split("\n").filter((line) => /^\s+at /.test(line));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  report(error);
  process.exitCode = 1;
});
