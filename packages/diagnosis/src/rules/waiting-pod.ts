import type { ContainerState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { imageKey, LOCALIZER } from "./container-key.ts";
import { endedContainer } from "./ended-container.ts";
import { imageAdvice, imageFault, IMAGE_REASONS } from "./image.ts";
import { findingOf, type ExaminedPod, type Said } from "./role.ts";
import { gated } from "./scheduling/gated.ts";
import { nameOf } from "./scheduling/other-schedulers.ts";
import { unscheduled } from "./scheduling/unscheduled.ts";
import { withoutVolume } from "./volume.ts";

/** A pod is usually made within this time; a longer time is worth a finding. */
const PATIENCE_MS = 20_000;

/** What a pod that has not ended waits for: a node, a volume, an image, or a container that fails again and again. */
export function waitingPod(examined: ExaminedPod, now: number): Finding[] {
  const { pod } = examined;
  if (pod.phase !== "Pending" && pod.phase !== "Running") return [];
  const stuck = [...pod.initContainers, ...pod.containers].flatMap((container) => stuckContainer(examined, container));
  if (stuck.length > 0) return stuck.map((said) => findingOf(examined, "obstacle", said));
  if (pod.phase === "Running") return [];
  const said = gated(examined, now) ?? unscheduled(examined, now) ?? withoutVolume(examined) ?? slow(examined, now);
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
      advice: schedulerAdvice(pod.scheduler),
    };
  }
  const ours = pod.initContainers.find(({ name, state }) => state === "running" && OURS.has(name));
  if (ours !== undefined)
    return { ...said, word: "starting", summary: OURS.get(ours.name) ?? "", container: ours.name };
  return pulling?.reason === "Pulling"
    ? { ...said, word: "pulling", summary: `node ${pod.node} is fetching an image: ${pulling.message}` }
    : { ...said, word: "starting", summary: `node ${pod.node} has not started the pod's containers yet` };
}

/** What Kindling's init containers do while they run. Other init containers may be sidecars, which do not end. */
const OURS: ReadonlyMap<string, string> = new Map([
  [LOCALIZER, "the localizer is bringing the pod's files"],
  // For executors that are created before their driver asks for them (gateway, early/wait-for-driver.ts).
  ["kindling-wait-for-driver", "it is ready, and waits for its driver, which does not take executors yet"],
]);

function schedulerAdvice(name: string | undefined): string {
  if (name === undefined) return "check spark.kubernetes.scheduler.name, and that a scheduler of that name runs";
  const check = `check that a scheduler called ${name} runs, and spark.kubernetes.scheduler.name`;
  return nameOf(name) === "Volcano"
    ? `${check}; Volcano writes into the pod's group: kubectl describe podgroups`
    : check;
}
