import type { PodEvent } from "../../evidence/pod-event.ts";
import type { Role } from "../../finding.ts";
import { karpenterAdvice } from "./karpenter.ts";
import { mainReason } from "./main-reason.ts";
import { nodeReasons } from "./node-reasons.ts";

/** What an autoscaler says about a pod that fits on no node. */
export interface AutoscalerWords {
  /** `coming`: it adds a node. `late`: it wanted to add one, long ago. `none`: it adds none. */
  readonly kind: "coming" | "late" | "none";
  readonly who: string;
  readonly event: PodEvent;
  /** Its messages about nodes that it could not add, each once. */
  readonly refusals: readonly string[];
}

/** How long cluster-autoscaler and Karpenter wait for a node that they asked for (max-node-provision-time, registration). */
const PATIENCE_MS = 15 * 60_000;

// cluster-autoscaler: utils/status event recorders; Karpenter: scheduling/events.go. GKE, AKS and EKS Auto Mode say the same.
const COMING: ReadonlySet<string> = new Set(["TriggeredScaleUp", "Nominated"]);
const NONE: ReadonlySet<string> = new Set(["NotTriggerScaleUp", "FailedToScaleUpGroup", "FailedScaleUp"]);

/** The last words of autoscalers about a pod, if there are any; of several autoscalers, the one that adds a node. */
export function autoscalerWords(events: readonly PodEvent[], now: number): AutoscalerWords | undefined {
  const last = events.findLast((event) => COMING.has(event.reason) || isRefusal(event));
  if (last === undefined) return undefined;
  const coming = events.findLast(({ reason }) => COMING.has(reason));
  const isLater =
    coming !== undefined && !events.slice(events.indexOf(coming)).some((event) => isRefusalOf(event, coming));
  const event = isLater ? coming : last;
  const refusals = [...new Set(events.filter(isRefusal).map(({ message }) => message))];
  return { kind: kindOf(event, now), who: nameOf(event), event, refusals };
}

/** Whether an event is Karpenter's own; Karpenter uses the scheduler's reasons. */
export function isKarpenters({ source, message }: PodEvent): boolean {
  return /karpenter|eks-auto/i.test(source) || message.startsWith("Failed to schedule pod, ");
}

function isRefusal(event: PodEvent): boolean {
  return NONE.has(event.reason) || (event.reason === "FailedScheduling" && isKarpenters(event));
}

function isRefusalOf(event: PodEvent, { source }: PodEvent): boolean {
  return isRefusal(event) && event.source === source;
}

function kindOf({ reason, last }: PodEvent, now: number): AutoscalerWords["kind"] {
  if (!COMING.has(reason)) return "none";
  const at = Date.parse(last ?? "");
  return !Number.isNaN(at) && now - at > PATIENCE_MS ? "late" : "coming";
}

function nameOf(event: PodEvent): string {
  return event.reason === "Nominated" || isKarpenters(event) ? "Karpenter" : "the cluster autoscaler";
}

/** What would help if an autoscaler adds no node. */
export function refusalAdvice({ event, refusals }: AutoscalerWords, role: Role): string | undefined {
  if (isKarpenters(event)) return karpenterAdvice(event.message, role);
  const list = event.message.replace(/^pod didn't trigger scale-up(?: \([^)]*\))?:?\s*/, "");
  const reasons = nodeReasons(list);
  const said = (words: RegExp): boolean => reasons.some(({ text }) => words.test(text));
  if (list === "")
    return "it has no node group that it may grow: check its configuration, as the tags by which it finds groups";
  if (said(/max (?:node group size|limit|cluster)|limit reached/i)) {
    const others = reasons.some(({ text }) => !/max |limit/i.test(text)) ? `; ${OTHER_GROUPS}` : "";
    return `a node group has its largest size: raise its maximum, or wait until others have ended${others}`;
  }
  if (said(/backoff/i)) {
    const why =
      refusals.find((words) => /failed: /.test(words)) ?? "a quota, or machines or addresses that are sold out";
    return `adding a node failed a short while ago (${why}), and is tried again: kubectl -n kube-system describe configmap cluster-autoscaler-status`;
  }
  const { kind, advice } = mainReason(list, role);
  if (kind === "memory" || kind === "cpu" || kind === "device" || kind === "other-room")
    return `a new node of its groups would be too small as well: ${ASK_FOR_LESS(role)}, or add a group of larger machines`;
  return kind === undefined ? undefined : advice;
}

const OTHER_GROUPS = "the other groups do not fit for the reasons above";
const ASK_FOR_LESS = (role: Role): string =>
  `lower spark.${role}.cores (spark.kubernetes.${role}.request.cores), spark.${role}.memory or what a pod template asks for`;
