import { formatObject, formatOf, type CommandContext, type CommandLine } from "@kindling/command-line";
import { stateFolder } from "../args/cluster-options.ts";
import { STATUS_FORMATS } from "../args/status-formats.ts";
import { askStatus } from "../control/control-client.ts";
import type { HistoryStatus, InstanceReport } from "../control/instance-status.ts";
import { statePaths } from "../state/state-paths.ts";

/** `kindling dev status`. The exit code is 1 if nothing runs. */
export async function statusCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, STATUS_FORMATS);
  const folder = stateFolder(line, context.outside);
  const status = await askStatus(statePaths(folder).socket, context.outside.clock);
  const document = { running: status !== undefined, stateFolder: folder, ...status };
  const text = status === undefined ? down(folder) : up(status);
  context.output.out(format === "text" ? text : await formatObject(document, format));
  return status === undefined ? 1 : 0;
}

function down(folder: string): string {
  return `nothing runs with state folder ${folder}; kindling dev up starts it\n`;
}

function historyText(history: HistoryStatus): string {
  return "archive" in history ? history.archive : `none is kept: ${history.fault}`;
}

function up(status: InstanceReport): string {
  const rows = [
    ["running", `since ${status.since}, process ${status.pid}`],
    ["api server", `${status.url}, ${status.nodes} ${status.nodes === 1 ? "node" : "nodes"}`],
    ["kubeconfig", status.kubeconfig],
    ["spark conf", status.confDir],
    ["staging", status.staging],
    ...(status.gateway === undefined ? [] : [["gateway", `${status.gateway.uri}, its page: ${status.gateway.page}`]]),
    ...(status.operator === true ? [["operator", "runs SparkApplications of namespace default"]] : []),
    ...(status.history === undefined ? [] : [["history", historyText(status.history)]]),
    ["log", status.log],
    ...status.images.map((image, index) => [index === 0 ? "images" : "", image]),
  ];
  return rows.map(([name = "", text = ""]) => `${name.padEnd(12)}${text}\n`).join("");
}
