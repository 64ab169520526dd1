import { KindlingError } from "@kindling/core-spec";
import { stateFolder } from "../args/cluster-options.ts";
import type { CommandUsage } from "../args/option-table.ts";
import { parseOptions } from "../args/parse-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceReport } from "../control/instance-status.ts";
import { statePaths } from "../state/state-paths.ts";
import type { CommandContext } from "./context.ts";

/** `kindling dev status`. The exit code is 1 if nothing runs. */
export async function statusCommand(
  usage: CommandUsage,
  argv: readonly string[],
  { env, cwd, output }: CommandContext,
): Promise<number> {
  const options = parseOptions(usage, argv);
  const folder = stateFolder(options, env, cwd);
  const status = await askStatus(statePaths(folder).socket);
  const format = options.value("output") ?? "text";
  const document = { running: status !== undefined, stateFolder: folder, ...status };
  if (format === "json") output.out(`${JSON.stringify(document, undefined, 2)}\n`);
  else if (format === "yaml") output.out((await import("yaml")).stringify(document));
  else if (format === "text") output.out(status === undefined ? down(folder) : up(status));
  else throw new KindlingError("ARGUMENT_INVALID", `--output ${format}: must be one of text, json, yaml`);
  return status === undefined ? 1 : 0;
}

function down(folder: string): string {
  return `nothing runs with state folder ${folder}; kindling dev up starts it\n`;
}

function up(status: InstanceReport): string {
  const rows = [
    ["running", `since ${status.since}, process ${status.pid}`],
    ["api server", `${status.url}, ${status.nodes} ${status.nodes === 1 ? "node" : "nodes"}`],
    ["kubeconfig", status.kubeconfig],
    ["spark conf", status.confDir],
    ["staging", status.staging],
    ["log", status.log],
    ...status.images.map((image, index) => [index === 0 ? "images" : "", image]),
  ];
  return rows.map(([name = "", text = ""]) => `${name.padEnd(12)}${text}\n`).join("");
}
