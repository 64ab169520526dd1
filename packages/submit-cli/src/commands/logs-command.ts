import { type CommandContext, type CommandLine, paint } from "@kindling/command-line";
import { harmlessText, KindlingError, parseTime } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  applicationLog,
  applicationReport,
  clusterError,
  findApplication,
  findApplications,
  parseApplicationName,
  type ApplicationName,
} from "@kindling/submit";
import { diagnosisText } from "../output/diagnosis-text.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling logs`. */
export async function logsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const [id, ...more] = line.operands;
  if (id === undefined || more.length > 0) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      "logs is about one application: name it by its name, id or driver pod",
      {
        hint: "kindling list shows them",
      },
    );
  }
  const wanted = parseApplicationName(id);
  const limits = { tailLines: count(line.value("tail"), "--tail"), sinceSeconds: seconds(line.value("since")) };
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const driver = await findApplication(client, wanted);
    const { output, signal, outside } = context;
    const lines = applicationLog(client, driver, {
      ...limits,
      executor: line.value("executor"),
      container: line.value("container"),
      timestamps: line.has("timestamps"),
      follow: line.has("follow"),
      tell: (text) => output.err(`${paint(output, "yellow", "note:")} ${harmlessText(text)}\n`),
      signal,
      outside,
    });
    for await (const text of lines) output.log(text);
    const { name = "", namespace } = driver.metadata ?? {};
    if (line.value("executor") === undefined) await tellFailure(client, { name, namespace, isPattern: false }, context);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

/** Behind the log of a driver that failed: why it did. */
async function tellFailure(
  client: KubeClient,
  wanted: ApplicationName,
  { output, outside, signal }: CommandContext,
): Promise<void> {
  // It may have been deleted meanwhile.
  const [pod] = await findApplications(client, wanted);
  if (pod?.status?.phase !== "Failed") return;
  const now = outside.clock.now();
  const { diagnosis, namespace, driverPod } = await applicationReport(client, pod, { now, signal });
  const text = diagnosisText(diagnosis, { palette: output, now, submissionId: `${namespace}:${driverPod}` });
  output.err(`${text}\n`);
}

function count(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new KindlingError("ARGUMENT_INVALID", `${option} ${text}: must be a whole number`);
  return Number(text);
}

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseTime(text, "s");
  if (parsed === undefined || parsed <= 0)
    throw new KindlingError("ARGUMENT_INVALID", `--since ${text}: must be a duration such as 5m`);
  return parsed;
}
