import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { resources } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { archiveError } from "../archive/archive-error.ts";
import { findRecorder } from "../archive/find-recorder.ts";
import { reachOf } from "../reach-options.ts";
import { HISTORY_PORT } from "./history-server-job.ts";
import { portOf, show } from "./show-ui.ts";

const SELECTOR = "app.kubernetes.io/name=kindling-history-server";

/** `kindling history-server`: the history server that the chart runs. It is reached by a forwarded port alone. */
export async function historyServerCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const own = portOf(line, HISTORY_PORT);
  const { client, service, close } = await findRecorder("all", reachOf(line), context);
  try {
    const namespace = service?.namespace ?? client.namespace;
    const { signal } = context;
    const { items } = await client.listAll<Pod>(resources.pods, { namespace, labelSelector: SELECTOR, signal });
    const pod = items.find(isReady)?.metadata?.name;
    if (pod === undefined) throw noServer(namespace, items.length > 0);
    await show({ client, namespace, pod, port: HISTORY_PORT, own, path: "/" }, context);
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    close();
  }
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}

function noServer(namespace: string, isThere: boolean): KindlingError {
  return isThere
    ? new KindlingError("POD_FAILED", `the history server in namespace ${namespace} is not ready`, {
        hint: `kubectl -n ${namespace} describe deployment/kindling-history-server says more`,
      })
    : new KindlingError("OBJECT_NOT_FOUND", `no history server runs in namespace ${namespace}`, {
        hint: "the chart runs one with recorder.historyServer.enabled=true; kindling ui NAME shows one application without it",
      });
}
