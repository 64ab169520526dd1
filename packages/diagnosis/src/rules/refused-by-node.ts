import type { PodState } from "../evidence/pod-state.ts";
import type { Role } from "../finding.ts";
import type { Said } from "./role.ts";

interface Refusal {
  /** The pod's `status.reason`. */
  readonly reason: RegExp;
  readonly what: string;
  readonly cause?: Said["cause"];
  readonly advice: (role: Role) => string;
}

const templateOf = (role: Role): string => `the pod template (spark.kubernetes.${role}.podTemplateFile)`;
const AGAIN: Readonly<Record<Role, string>> = {
  driver: "submit again",
  executor: "Spark asks for another executor by itself",
};

// Kubernetes, pkg/kubelet: lifecycle/predicate.go, lifecycle/handlers.go, cm, nodeshutdown, preemption, active_deadline.go.
const REFUSALS: readonly Refusal[] = [
  {
    reason: /^OutOfcpu$/,
    what: "the node had not enough cpu left when the pod came",
    advice: (role) =>
      `another pod was faster, as static pods and other schedulers are: ${AGAIN[role]}; where it happens again, ask for less: spark.kubernetes.${role}.request.cores, spark.${role}.cores`,
  },
  {
    reason: /^OutOfmemory$/,
    what: "the node had not enough memory left when the pod came",
    advice: (role) =>
      `another pod was faster, as static pods and other schedulers are: ${AGAIN[role]}; where it happens again, ask for less: spark.${role}.memory, spark.${role}.memoryOverhead`,
  },
  {
    reason: /^OutOfpods$/,
    what: "the node held as many pods as it may when the pod came",
    advice: (role) => `${AGAIN[role]}; where it happens again, use fewer and larger executors, or more nodes`,
  },
  {
    reason: /^OutOf/,
    what: "the node had not enough of a resource left when the pod came",
    advice: (role) =>
      `${AGAIN[role]}; where it happens again, ask for less of it: spark.${role}.resource.*.amount, or ${templateOf(role)}`,
  },
  {
    reason: /^UnexpectedAdmissionError$/,
    what: "the node could not give the pod its devices",
    advice: (role) =>
      `a device plugin had none that were healthy, or was just starting, as after a restart of the node: ${AGAIN[role]}; kubectl describe node shows under Allocatable what it has`,
  },
  {
    reason: /^TopologyAffinityError$|^SMTAlignmentError$/,
    what: "the node's topology or CPU manager could not place the pod's cpus and devices together",
    advice: (role) =>
      `ask for whole cores that fit on one NUMA node: spark.kubernetes.${role}.request.cores, spark.${role}.cores`,
  },
  {
    reason:
      /^(?:NodeAffinity|NodeName|NodeSelectorMismatching|PodOSSelectorNodeLabelDoesNotMatch|PodOSNotSupported|MatchNodeSelector)$/,
    what: "the node does not have the labels that the pod asks for",
    advice: (role) =>
      `the node's labels have changed, or it was restarted and had not all of them yet: ${AGAIN[role]}; check spark.kubernetes.node.selector.*, spark.kubernetes.${role}.node.selector.* and ${templateOf(role)}`,
  },
  {
    reason: /^(?:TaintToleration|NodeUnschedulable)$/,
    what: "the node has a taint that the pod does not tolerate",
    advice: (role) => `${AGAIN[role]}, or add the toleration to ${templateOf(role)}`,
  },
  {
    reason: /^(?:NodePorts|PodFitsHostPorts)$/,
    what: "another pod of the node has the host port",
    advice: (role) => `leave hostPort and hostNetwork out of ${templateOf(role)}`,
  },
  {
    reason: /^Preempting$/,
    what: "the pod was ended by its node to make room for a critical pod",
    cause: "Preempted",
    advice: (role) => `${AGAIN[role]}; a PriorityClass in ${templateOf(role)} decides who goes first`,
  },
  {
    reason: /^DeadlineExceeded$/,
    what: "the pod's time was over: its activeDeadlineSeconds",
    cause: "DeadlineExceeded",
    advice: (role) =>
      `raise activeDeadlineSeconds in ${templateOf(role)}, or leave it out; it counts from the start of the pod on its node, time for images included`,
  },
  {
    reason: /^(?:NodeShutdown|Terminated|Shutdown)$/,
    what: "the pod's node was shut down",
    cause: "NodeLost",
    advice: (role) =>
      `${AGAIN[role]}; nodes go in this way when they are spot machines, upgraded, or scaled down: kubectl get nodes`,
  },
];

/**
 * Why a kubelet refused a pod that was assigned to it, or ended it, for a reason of its own: the pod's phase is Failed and
 * its reason says so. The end of its containers does not matter. Any other reason is shown in its own words.
 */
export function refusedByNode(role: Role, pod: PodState): Said | undefined {
  const { phase, reason, message, node } = pod;
  if (phase !== "Failed" || reason === undefined || reason === "Error" || reason === "Completed") return undefined;
  const where = node === undefined ? "" : ` (node ${node})`;
  const known = REFUSALS.find((refusal) => refusal.reason.test(reason));
  const words = message === undefined || message === "" ? "" : `: ${message}`;
  return {
    cause: known?.cause ?? "RefusedByNode",
    word: reason,
    summary: `${known?.what ?? "the cluster failed the pod"}${where}: ${reason}${words}`,
    advice: known?.advice(role) ?? "kubectl describe pod, and kubectl describe node, say more",
  };
}
