import type { PodState } from "../evidence/pod-state.ts";
import type { Role } from "../finding.ts";
import { refusedByNode } from "./refused-by-node.ts";
import type { Said } from "./role.ts";

/** Why the cluster ended a pod: refused by its node, eviction, preemption, or loss of its node (Kubernetes, "Disruptions"). */
export function disruptedPod(role: Role, pod: PodState): Said | undefined {
  const refused = refusedByNode(role, pod);
  if (refused !== undefined && refused.word !== "Evicted" && refused.word !== "NodeLost") return refused;
  const { reason, message, disruption, node } = pod;
  const where = node === undefined ? "" : ` on node ${node}`;
  const saidOfKubelet = disruption?.message ?? "";
  const said = (words: string | undefined): string => (words === undefined || words === "" ? "" : `: ${words}`);
  // While the pod still runs, only the condition shows the reason.
  if (disruption?.reason === "TerminationByKubelet" && /node shutdown/i.test(saidOfKubelet))
    return goingWith(said(saidOfKubelet), where);
  switch (disruption?.reason ?? reason) {
    case "Evicted":
    case "TerminationByKubelet":
    case "EvictionByEvictionAPI":
      return {
        cause: "Evicted",
        word: "Evicted",
        summary: `the pod was evicted${where}${said(message ?? disruption?.message)}`,
        advice: evictionAdvice(role, message ?? disruption?.message ?? ""),
      };
    case "PreemptionByScheduler":
      return {
        cause: "Preempted",
        word: "Preempted",
        summary: `the pod made room for one of higher priority${said(disruption?.message)}`,
        advice: "give it a PriorityClass of its own in the pod template, or submit again",
      };
    case "DeletionByTaintManager":
    case "DeletionByPodGC":
    case "NodeLost":
      return {
        cause: "NodeLost",
        word: "NodeLost",
        summary: `the pod's node went away${where}${said(message ?? disruption?.message)}`,
        advice: "submit again; kubectl get nodes shows which nodes are ready",
      };
    case undefined:
    default:
      return undefined;
  }
}

function goingWith(words: string, where: string): Said {
  return {
    cause: "NodeLost",
    word: "NodeShutdown",
    summary: `the pod's node is being shut down${where}${words}`,
    advice: "submit again once it has ended; kubectl get nodes shows which nodes are ready",
  };
}

function evictionAdvice(role: Role, words: string): string {
  if (/ephemeral[- ](?:local )?storage|emptyDir|disk/i.test(words))
    return "give Spark's local directories a volume of their own: spark.kubernetes.*.volumes.*.spark-local-dir-1.*, or ask for more of the node's disk: spark.kindling.ephemeralStorage";
  if (/memory/i.test(words)) return `ask for more memory, so that the pod is not first in line: spark.${role}.memory`;
  return "submit again; kubectl describe node says how the node is";
}
