import { readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runInterruptible } from "@kindling/command-line";
import type { Env } from "@kindling/outside";
import { isExecutable } from "./is-executable.ts";
import { COMMANDS_OF_PACKAGES } from "./packages-of-commands.ts";

/**
 * Commands of other packages: `kindling NAME` runs the executable `kindling-NAME`, as kubectl does with its plug-ins. They
 * are looked for on the PATH and where `kindling` itself is installed.
 */

const PREFIX = "kindling-";
const NAME = /^[a-z0-9][a-z0-9-]*$/;

/** The package to install for a command that is not installed. */
export function packageOfCommand(name: string): string | undefined {
  return COMMANDS_OF_PACKAGES.find((command) => command.name === name)?.package;
}

/** The names of all such commands, sorted. */
export function externalCommands(env: Env, ownScript: string): readonly string[] {
  const names = folders(env, ownScript).flatMap((folder) =>
    listFolder(folder).filter((file) => file.startsWith(PREFIX) && isExecutable(join(folder, file))),
  );
  return [...new Set(names.map((file) => file.slice(PREFIX.length)))].filter((name) => NAME.test(name)).sort();
}

/**
 * The executable of a command.
 *
 * @param ownScript the path by which `kindling` itself was started
 */
export function findExternalCommand(name: string, env: Env, ownScript: string): string | undefined {
  if (!NAME.test(name)) return undefined;
  return folders(env, ownScript)
    .map((folder) => join(folder, PREFIX + name))
    .find(isExecutable);
}

/** Runs an executable with this process's own streams; it decides how an interrupt ends it. The result is its exit code. */
export function runExternalCommand(
  path: string,
  args: readonly string[],
  env: Env,
  signal: AbortSignal,
): Promise<number> {
  return runInterruptible(path, args, { env, signal });
}

function folders(env: Env, ownScript: string): readonly string[] {
  const onPath = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const beside = [dirname(ownScript)];
  for (let folder = dirname(ownScript); folder !== dirname(folder); folder = dirname(folder)) {
    beside.push(join(folder, "node_modules", ".bin"));
  }
  return [...onPath, ...beside];
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
