import { type CommandContext, type CommandLine, printNotice } from "@kindling/command-line";
import { CLUSTER_OPTIONS, clusterOptions, STATE_OPTION } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import { instanceVariables } from "./instance-variables.ts";
import { launch } from "./launch.ts";
import { assignments, quotedForSh } from "./shells.ts";

/** `kindling dev up`. If an instance runs already, its address is shown, and it stays unchanged. */
export async function upCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { output, signal } = context;
  const options = clusterOptions(line, context.outside);
  const down = wayDown(line, options.stateFolder);
  const running = await askStatus(statePaths(options.stateFolder).socket, context.outside.clock);
  if (running !== undefined) {
    const isAsGiven = CLUSTER_OPTIONS.every((option) => option === STATE_OPTION || !line.has(option.name));
    output.err(`it runs already${isAsGiven ? "" : "; options apply from the next start on"}\n`);
    output.out(whatNext(running, down));
    return 0;
  }
  const chosen = await chooseSpark(options, context);
  if (!line.has("foreground")) {
    const status = await launch({ ...options, chosen }, context);
    tellFault(status, context);
    output.out(whatNext(status, down));
    return 0;
  }
  const { startInstance } = await import("../instance/start-instance.ts");
  const instance = await startInstance({ ...options, chosen, logIsReady: false }, context.outside);
  const stop = (): void => void instance.stop();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  tellFault(instance.status, context);
  output.out(whatNext(instance.status, down));
  output.err("Ctrl-C ends it.\n");
  await instance.ended;
  output.err("ended\n");
  return 0;
}

function tellFault({ history }: InstanceStatus, { output }: CommandContext): void {
  if (history === undefined || "archive" in history) return;
  printNotice(`applications run, but nothing is kept of those that have ended: ${history.fault}`, output);
}

/** The command that ends this cluster, from any folder. */
function wayDown(line: CommandLine, stateFolder: string): string {
  return line.has(STATE_OPTION.name) ? `kindling dev down --state ${quotedForSh(stateFolder)}` : "kindling dev down";
}

function whatNext({ url, kubeconfig, confDir, image, gateway, operator }: InstanceStatus, down: string): string {
  const page =
    gateway === undefined ? "" : `Executors are allocated by a gateway; ${gateway.page} shows what waits, and why.\n`;
  const objects = operator === true ? "An operator runs SparkApplications: kindling app create FILE\n" : "";
  const exports = assignments("sh", instanceVariables({ kubeconfig, confDir }));
  return `The cluster is up at ${url}; its applications run on ${image}.
${page}${objects}
${exports.map((line) => `  ${line}\n`).join("")}  kindling submit --logs application.py     # files of this machine go through the staging server
  kubectl get pods
  ${down}
`;
}
