import type { KubeObject } from "@kindling/kube-objects";
import type { Application } from "../../views/applications/application.ts";
import { hasEnded, isExecutor } from "../../spark/spark-pod.ts";
import type { RequestedExecutor } from "./application-demand.ts";
import { type Requested, setExecutors } from "./set-executors.ts";

/**
 * The executors of an application that have not ended: those in the cluster, those that only the driver sees, and those that
 * are still missing from its sets. An executor that was given up while it was being created may still be in the cluster and
 * use room there.
 *
 * @param owned the pods of the cluster that the driver owns
 * @param application undefined if the driver has not asked for anything
 */
export function executorsOf(owned: readonly KubeObject[], application: Application | undefined): Requested {
  const executors: RequestedExecutor[] = [];
  const inCluster = new Set<string>();
  for (const pod of owned) {
    if (!isExecutor(pod)) continue;
    inCluster.add(pod.metadata.name);
    if (!hasEnded(pod)) executors.push({ kind: "present", name: pod.metadata.name, pod });
  }
  for (const entry of application?.pods.entries() ?? []) {
    const { name, state } = entry;
    if (state.kind === "waiting") executors.push({ kind: "waiting", name, pod: state.request });
    else if (inCluster.has(name) || name === application?.driverName) continue;
    else if (state.kind === "creating") executors.push({ kind: "admitted", name, pod: state.request });
    else if (state.kind === "real") {
      // The API server has confirmed its creation, but the watch has not shown it yet.
      const pod = application?.pods.current(entry);
      if (pod !== undefined && !hasEnded(pod)) executors.push({ kind: "admitted", name, pod });
    }
  }
  if (application === undefined) return { executors, unlisted: 0 };
  const ofSets = setExecutors(application.sets, owned);
  return { executors: [...executors, ...ofSets.executors], unlisted: ofSets.unlisted };
}
