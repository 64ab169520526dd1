import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { KubeClient } from "@kindling/kube";
import { APP } from "./app-table.ts";
import { APPLICATIONS, SCHEDULES } from "./operated-kind.ts";

/** Asks the cluster of the command line. */
type AskCluster = (
  ask: (client: KubeClient, signal: AbortSignal) => Promise<readonly string[]>,
) => Promise<readonly string[]>;

/**
 * What the next word of a command line `kindling app …` may be: a command, a file to create from, or a name.
 *
 * @param typed the present words. bash begins with `app` and includes the word that is being typed; fish begins with the
 *   program's name and leaves that word out
 */
export async function appWords(
  typed: readonly string[],
  cwd: string,
  askCluster: AskCluster,
): Promise<readonly string[]> {
  const isBash = typed[0] === "app";
  const [, ...words] = isBash ? typed.slice(0, -1) : typed.slice(typed.indexOf("app"));
  const command = words.find((word) => !word.startsWith("-"));
  if (command === undefined) return APP.commands.map(({ name }) => name);
  if (words.at(-1) === "--from") return await names(SCHEDULES.type, askCluster);
  if (command === "create") return manifestFiles(cwd, isBash ? (typed.at(-1) ?? "") : "");
  if (command === "list") return [];
  return await names(words.includes("--scheduled") ? SCHEDULES.type : APPLICATIONS.type, askCluster);
}

function names(type: typeof APPLICATIONS.type, askCluster: AskCluster): Promise<readonly string[]> {
  return askCluster(async (client, signal) => {
    const { items } = await client.listAll(type, { resourceVersion: "0", signal });
    return items.map(({ metadata }) => metadata?.name ?? "");
  });
}

/** Files that may contain objects, and folders, in the folder of the typed path. */
function manifestFiles(cwd: string, beginning: string): readonly string[] {
  const folder = beginning.endsWith("/") ? beginning : dirname(beginning);
  const shown = (name: string): string => (beginning.includes("/") ? join(folder, name) : name);
  try {
    return readdirSync(resolve(cwd, folder), { withFileTypes: true }).flatMap((entry) => {
      if (entry.isDirectory()) return `${shown(entry.name)}/`;
      return /\.(?:ya?ml|json)$/.test(entry.name) ? shown(entry.name) : [];
    });
  } catch {
    return [];
  }
}
