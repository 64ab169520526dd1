import type { PodEvent } from "../../evidence/pod-event.ts";
import type { ExaminedPod, Said } from "../role.ts";

/** Components that write events about pods that wait for a node, but are no schedulers. */
const NO_SCHEDULERS =
  /^(?:kubelet|kindling-|cluster-autoscaler|karpenter|eks-auto|attachdetach|persistentvolume|taint-eviction)/i;
/** Messages that say more than that a pod is in a queue. */
const TELLING =
  /does not fit|not fit|exceed|insufficient|reject|denied|fail|unable|cannot|not found|not exist|not ready|quota|limit|overused|unschedulable/i;
const GANG = /\bgang\b|pod ?group|task ?group|minAvailable|minMember/i;

/**
 * What a scheduler other than Kubernetes' own says about a pod that it has not placed, in its own words: YuniKorn in events,
 * Volcano in the pod's condition.
 */
export function otherScheduler({ pod, events }: ExaminedPod): Said | undefined {
  const { scheduler } = pod;
  const own = events.filter((event) => isScheduler(event, scheduler));
  const telling = own.findLast(({ message }) => TELLING.test(message)) ?? own.at(-1);
  const message = conditionOf(pod) ?? telling?.message;
  if (message === undefined) return undefined;
  const name = nameOf(scheduler ?? telling?.source);
  const others = own.filter((event) => event.message !== message).map((event) => event.message);
  const isGang = GANG.test(message);
  return {
    cause: "SchedulerQueue",
    word: isGang ? "gang not ready" : "queued",
    summary: isGang
      ? `${name} starts the pods of a group only together, and they have no room: ${message}`
      : `${name} holds the pod in its queue: ${message}`,
    details: [...new Set(others)].slice(-3),
    advice: adviceOf(name, [message, ...others].join("\n")),
    times: telling?.count ?? 1,
    since: telling?.first ?? pod.created,
  };
}

/** Whether the scheduler's words are about nodes, like those of Kubernetes' own, and not about a queue or a group. */
export function isAboutNodes(message: string): boolean {
  return !GANG.test(message) && !/not ready for scheduling|queue/i.test(message);
}

function conditionOf({ reason, message }: ExaminedPod["pod"]): string | undefined {
  return reason === undefined || message === undefined || reason === "SchedulingGated" ? undefined : message;
}

function isScheduler({ source, reason }: PodEvent, scheduler: string | undefined): boolean {
  if (NO_SCHEDULERS.test(source) || reason === "Scheduled") return false;
  return source !== "default-scheduler" || scheduler === "default-scheduler";
}

/** @param name of the scheduler, or of the component that wrote the event */
export function nameOf(name: string | undefined): string {
  if (name === undefined || name === "") return "the scheduler";
  if (/yunikorn/i.test(name)) return "YuniKorn";
  if (/^volcano$|^vc-/i.test(name)) return "Volcano";
  return `scheduler ${name}`;
}

function adviceOf(name: string, words: string): string {
  if (/reject|queue .*(?:not exist|not found)|(?:not exist|not found).*queue/i.test(words))
    return `check the queue that the pods name: ${queueKey(name)}`;
  const [, queue] = /fit in queue '?([\w.@/-]+)/.exec(words) ?? [];
  if (queue !== undefined)
    return `queue ${queue} has not that much left: wait for its applications, ask for less, or have the queue's maximum raised`;
  if (/quota|overused|capability|limit/i.test(words))
    return "the queue has no room: wait for its applications, ask for less, or have the queue's limits raised";
  if (GANG.test(words)) return gangAdvice(name);
  return `${name} lets it go when its turn has come; where that lasts, look at queue and limits: ${queueKey(name)}`;
}

function gangAdvice(name: string): string {
  return name === "Volcano"
    ? "kubectl describe podgroups says what the group lacks; minMember and minResources stand in spark.kubernetes.scheduler.volcano.podGroupTemplateFile"
    : "all pods of the group need room at once: ask for fewer or smaller executors, or make the group's minimum smaller (its annotations: task-groups)";
}

function queueKey(name: string): string {
  if (name === "YuniKorn")
    return "spark.kubernetes.driver.label.queue and spark.kubernetes.executor.label.queue, or YuniKorn's placement rules";
  if (name === "Volcano") return "spark.kubernetes.scheduler.volcano.podGroupTemplateFile; kubectl get queues";
  return "the labels, annotations and pod templates that this scheduler reads";
}
