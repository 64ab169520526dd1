import { type CommandContext, type CommandLine, printNotice } from "@kindling/command-line";
import { harmlessText } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  type ApplicationName,
  applicationOf,
  findApplications,
  isFinished,
  isStandIn,
  podState,
} from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import { archiveError } from "../archive/archive-error.ts";
import { parseRunName } from "../archive/find-run.ts";
import { driverOf, oneApplication } from "../one-application.ts";
import { reachOf } from "../reach-options.ts";
import { reachCluster } from "../target.ts";
import { findUi, UI_PORT } from "./find-ui.ts";
import type { ForwardedPortOptions } from "./forward-port.ts";
import { openHistoryServer } from "./open-history-server.ts";
import { portOf, show } from "./show-ui.ts";
import { startedDriver } from "./started-driver.ts";

/** `kindling ui NAME`: Spark's web UI of an application that runs, or of one that has ended. */
export async function uiCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const wanted = oneApplication(line, "ui is about one application: name it by its name, id or driver pod");
  const run = parseRunName(line.operands[0] ?? "");
  const own = portOf(line, UI_PORT);
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const driver = run.back > 0 ? undefined : await runningDriver(client, wanted, context);
    if (driver !== undefined) await showRunning(client, driver, own, context);
    else await openHistoryServer(client, { line, run, own, context });
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    client.close();
  }
}

/** The driver that has not ended. Of those that have, the recorder knows which one was the latest. */
async function runningDriver(
  client: KubeClient,
  wanted: ApplicationName,
  context: CommandContext,
): Promise<Pod | undefined> {
  const running = (await findApplications(client, wanted)).filter((pod) => !isFinished(podState(pod)));
  const [driver, ...others] = running;
  if (driver === undefined || (others.length === 0 && !isStandIn(driver))) return driver;
  return await driverOf(client, wanted, context);
}

async function showRunning(
  client: KubeClient,
  driver: Pod,
  own: ForwardedPortOptions["own"],
  context: CommandContext,
): Promise<void> {
  const { outside, output, signal } = context;
  const started = await startedDriver(client, driver, context);
  const { namespace, driverPod } = applicationOf(started);
  const { port, scheme, path, notices } = await findUi(started, { client, clock: outside.clock, signal });
  for (const notice of notices) printNotice(harmlessText(notice), output);
  await show({ client, namespace, pod: driverPod, port, own, scheme, path }, context);
}
