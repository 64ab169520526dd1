import { printNotice, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { followObject, type KubeClient } from "@kindling/kube";
import { applicationLog, forApplication } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import { logOptions, tellFailure } from "../logs-command.ts";
import { isOver, isRefused, NEW, type ApplicationView } from "./application-view.ts";
import { driverPod } from "./driver-pod.ts";
import { findOne, nameIn } from "./find-operated.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { onCluster } from "./on-cluster.ts";
import { APPLICATIONS } from "./operated-kind.ts";

/** `kindling app logs`: with `--follow` also those of later drivers, as long as the application is started again. */
export async function logsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const wanted = nameIn(line.operands, "logs");
  const options = logOptions(line, context);
  return await onCluster(line, context, APPLICATIONS.type, async (client) => {
    const object = await findOne(client, APPLICATIONS, wanted);
    hideSecrets(object, context.secrets);
    const view = APPLICATIONS.viewOf(object);
    const first = isRefused(view) ? undefined : await driverPod(client, view);
    let pod = options.follow === true ? (first ?? (await nextDriver(client, view, undefined, context))) : first;
    if (pod === undefined) throw noDriver(view);
    const goesOn = options.follow === true && options.executor === undefined && isStartedAgain(view);
    for (let next: Pod | undefined = pod; next !== undefined;) {
      pod = next;
      for await (const text of applicationLog(client, pod, options)) context.output.log(text);
      next = goesOn ? await nextDriver(client, view, pod.metadata?.uid, context) : undefined;
    }
    const driver = { name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace, isPattern: false };
    if (options.executor === undefined) await tellFailure(client, driver, context, forApplication);
    return 0;
  });
}

function isStartedAgain({ restartPolicy }: ApplicationView): boolean {
  return restartPolicy === "OnFailure" || restartPolicy === "Always";
}

/**
 * Waits for the next driver pod after an earlier one.
 *
 * @returns undefined if none comes, because the application has ended or is gone
 */
async function nextDriver(
  client: KubeClient,
  { namespace, name }: ApplicationView,
  before: string | undefined,
  { outside: { clock, random }, output, signal }: CommandContext,
): Promise<Pod | undefined> {
  const onTrouble = ({ message }: Error): void => printNotice(message, output);
  const options = { namespace, intervalMs: 1000, signal, clock, random: () => random.fraction(), onTrouble };
  let told: string | undefined;
  for await (const object of followObject(client, APPLICATIONS.type, name, options)) {
    const view = APPLICATIONS.viewOf(object);
    const pod = await driverPod(client, view);
    if (pod !== undefined && pod.metadata?.uid !== before) return pod;
    if (isOver(view.state)) return undefined;
    if (told !== view.state)
      printNotice(`${namespace}:${name} is ${view.state || NEW}; waiting for its driver`, output);
    told = view.state;
  }
  return undefined;
}

function noDriver(view: ApplicationView): KindlingError {
  const { namespace, name, state, driverPod: pod, errorMessage } = view;
  const called = `${namespace}:${name}`;
  if (isRefused(view)) {
    return new KindlingError("OBJECT_NOT_FOUND", `${called} never had a driver, so there is no log: ${errorMessage}`, {
      hint: `kubectl apply of a corrected object submits it again; where the fault was elsewhere, kindling app rerun ${called} does`,
    });
  }
  if (pod === undefined) {
    const why = errorMessage === undefined ? "" : `: ${errorMessage}`;
    return new KindlingError("OBJECT_NOT_FOUND", `${called} has no driver; it is ${state || NEW}${why}`, {
      hint: isOver(state)
        ? `kindling app events ${called} tells what has happened`
        : `kindling app logs -f ${called} waits for it`,
    });
  }
  return new KindlingError("OBJECT_NOT_FOUND", `the driver pod ${pod} of ${called} is gone, and its log with it`, {
    hint: `kindling app rerun ${called} starts it again`,
  });
}
