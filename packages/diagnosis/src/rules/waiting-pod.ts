import { SCHEDULER_ADMISSION_GATE, SCHEDULER_CA_CONFIG_MAP, SCHEDULER_QUEUE_LABEL } from "@kindling/core-spec";
import type { ContainerState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { imageKey, LOCALIZER } from "./container-key.ts";
import { endedContainer } from "./ended-container.ts";
import { imageAdvice, imageFault, IMAGE_REASONS } from "./image.ts";
import { findingOf, type ExaminedPod, type Said } from "./role.ts";
import { schedulerWords, schedulingAdvice, schedulingWord } from "./scheduling.ts";

/** A pod is made in this time, as a rule; only then is it worth a word that it is not. */
const PATIENCE_MS = 20_000;

/** What a pod waits for that has not ended: a node, a volume, an image, a container that fails again and again. */
export function waitingPod(examined: ExaminedPod, now: number): Finding[] {
  const { pod } = examined;
  if (pod.phase !== "Pending" && pod.phase !== "Running") return [];
  const stuck = [...pod.initContainers, ...pod.containers].flatMap((container) => stuckContainer(examined, container));
  if (stuck.length > 0) return stuck.map((said) => findingOf(examined, "obstacle", said));
  if (pod.phase === "Running") return [];
  const said = gated(examined) ?? unscheduled(examined) ?? withoutVolume(examined) ?? slow(examined, now);
  return said === undefined ? [] : [findingOf(examined, "obstacle", said)];
}

function stuckContainer(examined: ExaminedPod, container: ContainerState): Said[] {
  const { role } = examined;
  const { name, image, state, restarts, last } = container;
  if (state === "terminated" && container.exitCode !== 0 && examined.pod.phase === "Pending")
    return [endedContainer(role, container, container)];
  if (state !== "waiting") return [];
  const { reason = "", message } = container;
  if (IMAGE_REASONS.has(reason)) return [imageMissing(examined, container, reason, message)];
  if (reason === "CrashLoopBackOff" || (last !== undefined && last.exitCode !== 0)) {
    const said = last === undefined ? undefined : endedContainer(role, container, last);
    return [
      {
        cause: said?.cause === "OOMKilled" || name === LOCALIZER ? (said?.cause ?? "CrashLoop") : "CrashLoop",
        word: said?.word ?? reason,
        summary: `container ${name} fails again and again: ${said?.summary ?? message ?? reason}`,
        container: name,
        details: said?.details ?? [],
        advice: said?.advice,
        times: Math.max(1, restarts),
        since: last?.startedAt,
      },
    ];
  }
  if (/^(?:CreateContainer(?:Config)?Error|RunContainerError|PreCreateHookError|PostStartHookError)$/.test(reason)) {
    return [
      {
        cause: "ContainerConfig",
        word: reason,
        summary: `container ${name} (${image}) cannot be made: ${message ?? reason}`,
        container: name,
        advice: configAdvice(message ?? ""),
      },
    ];
  }
  return [];
}

function imageMissing(examined: ExaminedPod, container: ContainerState, reason: string, message?: string): Said {
  const { events, pod } = examined;
  const { name, image } = container;
  const fault = imageFault(message, events, image);
  return {
    cause: "ImagePull",
    word: reason,
    summary: `image ${image} of container ${name} cannot be had: ${fault ?? message ?? reason}`,
    container: name,
    advice: imageAdvice(reason, fault ?? message ?? "", imageKey(examined, name)),
    since: pod.started ?? pod.created,
  };
}

function configAdvice(message: string): string | undefined {
  const [, kind, name] = /(secret|configmap) "([^"]+)" not found/i.exec(message) ?? [];
  if (kind !== undefined) return `make the ${kind} ${name} in the pod's namespace, or correct its name`;
  if (/couldn't find key/i.test(message)) return "add the key to what is named there, or correct its name";
  if (/runAsNonRoot/.test(message)) return "set a user other than root in the pod template's securityContext.runAsUser";
  return undefined;
}

/** No scheduler looks at a pod with gates; whoever set them takes them away. */
function gated({ pod, events }: ExaminedPod): Said | undefined {
  if (pod.schedulingGates.length === 0) return undefined;
  const said = { cause: "SchedulingGated", word: "SchedulingGated", since: pod.created } as const;
  if (!pod.schedulingGates.includes(SCHEDULER_ADMISSION_GATE)) {
    const gates = pod.schedulingGates.join(", ");
    return {
      ...said,
      summary: `the pod is held back by scheduling gates: ${gates}`,
      advice: "whoever set the gates takes them away, when there is room as a rule",
    };
  }
  // The gateway says for what, if it runs and may write events.
  const told = events.findLast(({ reason, source }) => reason === "AwaitingAdmission" && source === "kindling-gateway");
  const queue = pod.labels[SCHEDULER_QUEUE_LABEL];
  const where = queue === undefined ? "the gateway's default queue" : `queue ${queue} of the gateway`;
  return {
    ...said,
    summary:
      told === undefined
        ? `the driver waits in ${where} for room for itself and its least executors`
        : `the driver is held back by the gateway: ${told.message}`,
    advice:
      "wait for the applications before it, or ask for less: spark.kindling.scheduler.minExecutors, spark.executor.memory",
  };
}

function unscheduled({ role, pod, events }: ExaminedPod): Said | undefined {
  if (pod.node !== undefined) return undefined;
  const event = events.findLast(({ reason }) => reason === "FailedScheduling");
  const message = (pod.reason === "Unschedulable" ? pod.message : undefined) ?? event?.message;
  if (message === undefined) return undefined;
  return {
    cause: "Unschedulable",
    word: schedulingWord(message),
    summary: `no node takes the pod: ${schedulerWords(message)}`,
    advice: schedulingAdvice(message, role),
    since: event?.first ?? pod.created,
  };
}

function withoutVolume({ events }: ExaminedPod): Said | undefined {
  const event = events.findLast(({ reason }) => reason === "FailedMount" || reason === "FailedAttachVolume");
  if (event === undefined) return undefined;
  const [, kind, name] = /(secret|configmap|persistentvolumeclaim) "([^"]+)" not found/.exec(event.message) ?? [];
  return {
    cause: "Volume",
    word: event.reason,
    summary: `a volume of the pod cannot be had: ${event.message}`,
    advice: sourceAdvice(kind, name),
    times: event.count,
    since: event.first,
  };
}

function sourceAdvice(kind: string | undefined, name: string | undefined): string | undefined {
  if (kind === undefined) return undefined;
  return name === SCHEDULER_CA_CONFIG_MAP
    ? `the scheduler's gateway makes it in the namespaces that it serves: check that this is one, or set spark.kindling.scheduler.caFile`
    : `make the ${kind} ${name} in the pod's namespace, or correct its name`;
}

function slow({ pod, events }: ExaminedPod, now: number): Said | undefined {
  const since = Date.parse(pod.created ?? "");
  if (Number.isNaN(since) || now - since < PATIENCE_MS) return undefined;
  const pulling = events.findLast(({ reason }) => reason === "Pulling" || reason === "Pulled");
  const sandbox = events.findLast(({ reason }) => reason === "FailedCreatePodSandBox");
  const said = { cause: "SlowStart", since: pod.created } as const;
  if (sandbox !== undefined)
    return { ...said, word: sandbox.reason, summary: `the node cannot make the pod: ${sandbox.message}` };
  if (pod.node === undefined) {
    return {
      ...said,
      word: "not scheduled",
      summary: "no scheduler has looked at the pod yet",
      advice: "check spark.kubernetes.scheduler.name, and that a scheduler of that name runs",
    };
  }
  return pulling?.reason === "Pulling"
    ? { ...said, word: "pulling", summary: `node ${pod.node} is fetching an image: ${pulling.message}` }
    : { ...said, word: "starting", summary: `node ${pod.node} has not started the pod's containers yet` };
}
