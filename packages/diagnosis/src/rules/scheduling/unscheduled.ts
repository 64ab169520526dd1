import { autoscalerWords, isKarpenters, refusalAdvice, type AutoscalerWords } from "./autoscaler.ts";
import { mainReason } from "./main-reason.ts";
import { schedulerWords } from "./node-reasons.ts";
import { isAboutNodes, otherScheduler } from "./other-schedulers.ts";
import type { ExaminedPod, Said } from "../role.ts";

/** Why a pod has no node, and whether one is coming. */
export function unscheduled(examined: ExaminedPod, now: number): Said | undefined {
  const { pod, events } = examined;
  if (pod.node !== undefined) return undefined;
  const scaling = autoscalerWords(events, now);
  const failed = events.findLast((event) => event.reason === "FailedScheduling" && !isKarpenters(event));
  const condition = pod.reason === undefined || pod.reason === "SchedulingGated" ? undefined : pod.message;
  const message = condition ?? failed?.message;
  if (message === undefined || !isAboutNodes(message)) {
    const queued = otherScheduler(examined);
    if (queued !== undefined) return queued;
  }
  if (message === undefined && scaling === undefined) return undefined;
  const since = failed?.first ?? scaling?.event.first ?? pod.created;
  return { ...said(examined, message, scaling), since };
}

function said({ role }: ExaminedPod, message: string | undefined, scaling: AutoscalerWords | undefined): Said {
  const words = message === undefined ? "" : `: ${schedulerWords(message)}`;
  const reason = mainReason(message ?? scaling?.event.message ?? "", role);
  const about = { cause: "Unschedulable", word: message === undefined ? "no node" : reason.word } as const;
  if (scaling === undefined) return { ...about, summary: `no node takes the pod${words}`, advice: reason.advice };
  const { kind, who, event, refusals } = scaling;
  const details = message === undefined ? [] : [schedulerWords(message)];
  switch (kind) {
    case "coming":
      return {
        cause: "NodeComing",
        word: "a node is coming",
        summary: `no node has room yet, and ${who} is adding one: ${event.message}`,
        details,
        advice: "wait: a new node takes some minutes, as a rule",
      };
    case "late":
      return {
        ...about,
        summary: `no node takes the pod, and the one that ${who} wanted to add has not come: ${event.message}`,
        details,
        advice: `see why it does not come: kubectl get ${who === "Karpenter" ? "nodeclaims" : "nodes"}, and kubectl get events -A; ${reason.advice}`,
      };
    case "none":
      return {
        ...about,
        summary: `no node takes the pod, and ${who} adds none${words}`,
        details: refusals.slice(-3),
        advice: refusalAdvice(scaling, role) ?? reason.advice,
      };
  }
}
