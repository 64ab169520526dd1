import { SCHEDULER_ADMISSION_GATE, SCHEDULER_KUEUE_QUEUE_LABEL, SCHEDULER_QUEUE_LABEL } from "@kindling/core-spec";
import type { ExaminedPod, Said } from "../role.ts";

/** Within this time a running gateway has examined a driver and said what it waits for. */
const GATEWAY_PATIENCE_MS = 60_000;
/** The gateway repeats it every half an hour (gateway, driver-events.ts). */
const GATEWAY_SILENCE_MS = 45 * 60_000;

type Gated = Pick<Said, "cause" | "word" | "since">;

/** No scheduler handles a pod with gates; the component that set the gates removes them. */
export function gated(examined: ExaminedPod, now: number): Said | undefined {
  const { pod } = examined;
  if (pod.schedulingGates.length === 0) return undefined;
  const said = { cause: "SchedulingGated", word: "SchedulingGated", since: pod.created } as const;
  if (pod.schedulingGates.includes(SCHEDULER_ADMISSION_GATE)) return byGateway(examined, said, now);
  return byOthers(examined, said);
}

/** The gateway says what the driver waits for, if it runs and may write events. */
function byGateway({ pod, events, areEventsKnown }: ExaminedPod, said: Gated, now: number): Said {
  const queue = pod.labels[SCHEDULER_QUEUE_LABEL];
  const localQueue = pod.labels[SCHEDULER_KUEUE_QUEUE_LABEL];
  const own = queue === undefined ? "the gateway's default queue" : `queue ${queue} of the gateway`;
  const where = localQueue === undefined ? own : `LocalQueue ${localQueue} of Kueue`;
  const told = events.findLast(({ reason, source }) => reason === "AwaitingAdmission" && source === "kindling-gateway");
  if (told !== undefined) {
    const summary = `the driver is held back by the gateway: ${told.message}`;
    return isOlder(told.last, GATEWAY_SILENCE_MS, now)
      ? { ...said, summary: `${summary}; that was long ago, and it has said nothing since`, advice: NO_GATEWAY }
      : { ...said, summary, advice: waitAdvice(told.message) };
  }
  if (areEventsKnown && isOlder(pod.created, GATEWAY_PATIENCE_MS, now)) {
    return {
      ...said,
      summary: `the driver waits in ${where}, and no gateway has looked at it yet`,
      advice: NO_GATEWAY,
    };
  }
  return { ...said, summary: `the driver waits in ${where} for room for itself and its least executors`, advice: TURN };
}

const NO_GATEWAY =
  "check that the gateway runs and serves this namespace: kindling queue asks it, kindling doctor looks at the installation, and kubectl get pods -A -l app.kubernetes.io/component=gateway shows its pods";
const TURN =
  "wait for the applications before it, or ask for less: spark.kindling.scheduler.minExecutors, spark.executor.memory";

const LESS = "spark.kindling.scheduler.minExecutors, spark.executor.memory, spark.executor.cores, spark.driver.memory";

// The words of the gateway (packages/gateway, admission/wait-words.ts).
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /there is no queue that it may use/,
    "whoever runs the gateway can give the namespace a queue: kindling queue shows those that there are",
  ],
  [
    /there is no queue /,
    "name a queue that is there with spark.kindling.scheduler.queue, or have this one added: kindling queue shows those that there are",
  ],
  [/may not use queue/, "name a queue that the namespace may use with spark.kindling.scheduler.queue"],
  [
    /more than the ceiling of queue \S+ can ever give/,
    `waiting does not help: ask for less (${LESS}), name a larger queue with spark.kindling.scheduler.queue, or have its ceiling raised`,
  ],
  [
    /more than ResourceQuota \S+ can ever give/,
    `waiting does not help: ask for less (${LESS}), or have the namespace's quota raised`,
  ],
  [/can ever give/, `waiting does not help: the cluster is smaller than that; ask for less (${LESS}), or add nodes`],
  [
    /room in ResourceQuota/,
    "wait until other pods of the namespace have ended, ask for less, or have the namespace's quota raised: kubectl describe resourcequota",
  ],
  [
    /the ceiling of queue \S+ is reached/,
    "wait for the applications of that queue, ask for less (spark.kindling.scheduler.minExecutors, spark.executor.memory), or have its ceiling raised",
  ],
  [
    /pods that are not the gateway's, or by nodes/,
    "the room is taken by others than the gateway's applications: kubectl get pods -A -o wide, and kubectl get nodes, show by whom; wait, or ask for less: spark.kindling.scheduler.minExecutors, spark.executor.memory",
  ],
  [
    /Kueue is not installed/,
    "install Kueue, or let the gateway decide itself: its settings capacity and kueue.enabled say who decides",
  ],
  [
    /waiting in LocalQueue \S+ of Kueue/,
    "Kueue decides: kubectl get workloads,localqueues shows what waits in the queue, and kubectl describe clusterqueue its quota; wait, or ask for less: spark.kindling.scheduler.minExecutors, spark.executor.memory",
  ],
  [
    /no node has room for/,
    "ask for smaller pods (spark.executor.memory, spark.executor.cores), which fit into what single nodes have left, or wait",
  ],
];

function waitAdvice(words: string): string {
  return ADVICE.find(([pattern]) => pattern.test(words))?.[1] ?? TURN;
}

const KUEUE_QUEUE_LABEL = "kueue.x-k8s.io/queue-name";

function byOthers({ pod, events }: ExaminedPod, said: Gated): Said {
  const gates = pod.schedulingGates.join(", ");
  if (pod.schedulingGates.some((gate) => gate.startsWith("kueue.x-k8s.io/"))) {
    const queue = pod.labels[KUEUE_QUEUE_LABEL];
    const words = events.findLast(({ source, reason }) => /kueue/i.test(source) && reason !== "CreatedWorkload");
    const where = queue === undefined ? "" : ` in its queue ${queue}`;
    return {
      ...said,
      summary: `Kueue holds the pod back${where} (scheduling gate ${gates})${words === undefined ? "" : `: ${words.message}`}`,
      advice: `Kueue's Workload says why, as quota that is used up, or a queue that is not there: kubectl -n ${pod.namespace} describe workloads; kubectl -n ${pod.namespace} get localqueues`,
    };
  }
  return {
    ...said,
    summary: `the pod is held back by scheduling gates: ${gates}`,
    advice: "whoever set the gates takes them away, when there is room as a rule",
  };
}

function isOlder(time: string | undefined, milliseconds: number, now: number): boolean {
  const at = Date.parse(time ?? "");
  return !Number.isNaN(at) && now - at > milliseconds;
}
