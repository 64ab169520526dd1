import { podState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import type { ExecutorExits, Registrations } from "../log/executor-exits.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { exitCodeText } from "./exit-code.ts";
import { memoryAdvice } from "./memory-advice.ts";
import type { Said } from "./role.ts";

const LOOK =
  "kindling logs --executor ID shows why, while the pod is there; spark.kubernetes.executor.deleteOnTermination=false keeps it";
const HEARTBEAT =
  "they did not answer, for long collections of garbage as a rule: raise spark.executor.memory or lower spark.executor.cores; " +
  "spark.network.timeout gives them longer";
const TAKEN =
  "kubectl get events tells of nodes that went away and of pods that were evicted; spark.decommission.enabled=true saves what an " +
  "executor holds before its node is taken away (spot nodes)";
/** What usually keeps executors from registering. */
export const UNREGISTERED_ADVICE: string =
  "kindling logs --executor ID shows why, while the pod is there. Most often they do not reach the driver's service (ports 7078 and " +
  "7079): a NetworkPolicy, or a service mesh in either pod; else Java refuses an option of spark.executor.extraJavaOptions, or the " +
  "executors' image is not the driver's";

/** `7 executors (3, 4, 5, 6, 7)` */
export function whichExecutors(ids: readonly string[]): string {
  const { length } = ids;
  return `${length === 1 ? "executor" : `${length} executors`} (${ids.slice(-5).join(", ")})`;
}

/**
 * How executors without a pod ended, according to the driver's log: the kubelet's own reason has priority over the exit code.
 */
export function lostExecutors(exits: ExecutorExits): Said {
  const { code, reason, message, words, executors, since } = exits;
  const which = whichExecutors(executors);
  const about = { times: executors.length, since };
  // This is a reason of containers, not of pods.
  const ofPod = reason === "OOMKilled" ? undefined : reason;
  const disrupted = disruptedPod(
    "executor",
    podState({ status: { phase: "Failed", ...(ofPod && { reason: ofPod }), ...(message && { message }) } }),
  );
  if (disrupted !== undefined) return { ...about, ...disrupted, summary: `${which}: ${disrupted.summary}` };
  if (words !== undefined) {
    const advice = words.includes("heartbeat") ? HEARTBEAT : words.startsWith("its pod") ? TAKEN : LOOK;
    return {
      ...about,
      cause: "ExecutorsFailing",
      word: "lost",
      summary: `${which} lost to the driver: ${words}`,
      advice,
    };
  }
  if (reason !== undefined && reason !== "OOMKilled") {
    const summary = `${which} ended: ${reason}${message === undefined ? "" : `: ${message}`}`;
    return { ...about, cause: "ExecutorsFailing", word: reason, summary, advice: LOOK };
  }
  const mayBeMemory = code === 137 || reason === "OOMKilled";
  return {
    ...about,
    cause: mayBeMemory ? "OOMKilled" : "ExecutorsFailing",
    word: mayBeMemory ? "OOMKilled" : `Error (${code})`,
    summary:
      reason === "OOMKilled"
        ? `${which} used more memory than the container's limit, and ended with exit code ${code} (OOMKilled)`
        : `${which} ended ${executors.length > 2 && !mayBeMemory ? "again and again " : ""}with ${exitCodeText(code ?? -1)}`,
    advice: mayBeMemory ? memoryAdvice("executor") : (ADVICE.get(code ?? -1) ?? LOOK),
  };
}

const ADVICE: ReadonlyMap<number, string> = new Map([
  [
    1,
    `${LOOK}. Executors that end at once have an option that Java refuses (spark.executor.extraJavaOptions), do not reach the driver, or have another image than it`,
  ],
  [
    52,
    "give each task more of Java's heap: raise spark.executor.memory, lower spark.executor.cores, or use more partitions",
  ],
  [
    53,
    "the executors' local directories cannot be written: mount a volume that the container's user can write (spark.kubernetes.executor.volumes.*.spark-local-dir-1.*)",
  ],
  [56, UNREGISTERED_ADVICE],
]);

/** Executors that come and go but never registered, and nothing says how they ended. */
export function unregisteredExecutors({ removed, hasRegistered, isTold, isWaiting }: Registrations): Said | undefined {
  if (removed < 2 || hasRegistered || !(isTold || isWaiting)) return undefined;
  return {
    cause: "ExecutorsFailing",
    word: "not registered",
    summary: `${removed} executors ended, again and again, and none had registered with the driver`,
    advice: UNREGISTERED_ADVICE,
    times: removed,
  };
}

export function lostFinding(said: Said): Finding {
  return {
    severity: "obstacle",
    role: "executor",
    ...{ pods: [], container: undefined, details: [], advice: undefined, times: 1, since: undefined },
    ...said,
  };
}
