/** How executors ended, in the driver's words. */
export interface ExecutorExits {
  /** `undefined` if the driver lost them without an exit code. */
  readonly code: number | undefined;
  /** The reason in the kubelet's word: `Evicted`, or the container's `OOMKilled`. */
  readonly reason: string | undefined;
  /** The kubelet's message about the last of them. */
  readonly message: string | undefined;
  /** Spark's own words if it saw no exit: no heartbeat, no pod. */
  readonly words: string | undefined;
  /** Their ids, in the order of the log. */
  readonly executors: readonly string[];
  /** RFC 3339: when the first of them was reported. */
  readonly since: string | undefined;
}

// The message about every executor that was lost because it exited (ExecutorPodsLifecycleManager.findExitReason), in the
// words of Spark 3.5 to 4.3.
const EXIT = /The executor with id (\S+) exited with exit code (-?\d+)/;
// TaskSchedulerImpl and HeartbeatReceiver; ExecutorPodsLifecycleManager for a pod that is gone.
const LOST =
  /(?:Lost|Removing) executor (\S+?)(?: on \S+)?: ((?:Executor heartbeat timed out|Remote RPC client disassociated).*)|The executor with ID (\S+) (?:\(registered[^)]*\) )?was not found in the cluster at the polling time|Lost executor (\S+) on \S+: The executor with id \S+ was deleted by a user or the framework/;
const REASON = /^\s*The API gave the following brief reason: (.*)$/;
const MESSAGE = /^\s*The API gave the following message: (.*)$/;
const TERMINATION = /^\s*termination reason: (\S+)/;
// The lines below each exit, in the same message.
const MOST_LINES = 40;

/** The ends of executors in a driver's log: by exit code and reason, each executor once. */
export function executorExits(lines: readonly string[], times: readonly string[] = []): ExecutorExits[] {
  const known = new Map<string, Omit<ExecutorExits, "executors"> & { readonly id: string }>();
  for (const [index, line] of lines.entries()) {
    const [, id, code] = EXIT.exec(line) ?? [];
    const since = times[index] || undefined;
    if (id !== undefined) {
      const reasons = reasonsBelow(lines, index);
      // An exit is reported again and again, and not always with its reason.
      const before = known.get(id);
      if (Number(code) !== 0)
        known.set(id, {
          code: Number(code),
          ...both(before, reasons),
          words: undefined,
          since: before?.since ?? since,
          id,
        });
      continue;
    }
    const [, lost, words, gone, deleted] = LOST.exec(line) ?? [];
    const other = lost ?? gone ?? deleted;
    if (other !== undefined && !known.has(other))
      known.set(other, {
        code: undefined,
        reason: undefined,
        message: undefined,
        words: words ?? (deleted === undefined ? GONE : DELETED),
        since,
        id: other,
      });
  }
  return together([...known.values()]);
}

const DELETED = "its pod was deleted by a user, by the cluster, or with its node";
const GONE = "its pod is gone: deleted, or lost with its node";

type Reasons = Pick<ExecutorExits, "reason" | "message">;

function both(before: Reasons | undefined, now: Reasons): Reasons {
  return { reason: now.reason ?? before?.reason, message: now.message ?? before?.message };
}

function reasonsBelow(lines: readonly string[], from: number): Reasons {
  const found: Record<"reason" | "message" | "container", string | undefined> = {
    ...{ reason: undefined, message: undefined, container: undefined },
  };
  for (const line of lines.slice(from + 1, from + MOST_LINES)) {
    if (EXIT.test(line)) break;
    found.reason ??= known(REASON.exec(line)?.[1]);
    found.message ??= known(MESSAGE.exec(line)?.[1]);
    const termination = TERMINATION.exec(line)?.[1];
    if (termination !== undefined && termination !== "Error" && termination !== "Completed")
      found.container ??= termination;
  }
  return { reason: found.reason ?? found.container, message: found.message };
}

/** Spark writes N/A if the pod has none. */
function known(text: string | undefined): string | undefined {
  const bare = text?.trim();
  return bare === "" || bare === "N/A" ? undefined : bare;
}

function together(ends: readonly (Omit<ExecutorExits, "executors"> & { readonly id: string })[]): ExecutorExits[] {
  const groups = new Map<string, ExecutorExits>();
  for (const { id, ...end } of ends) {
    const key = [end.reason ?? end.code, end.words?.slice(0, 30)].join(" ");
    const before = groups.get(key);
    const executors = [...(before?.executors ?? []), id];
    groups.set(
      key,
      before === undefined ? { ...end, executors } : { ...before, message: end.message ?? before.message, executors },
    );
  }
  return [...groups.values()];
}

/** Executors that the driver has given up, and whether any executor has ever registered. */
export interface Registrations {
  readonly removed: number;
  readonly hasRegistered: boolean;
  /** Whether the log would show it: with a log level above INFO it does not. */
  readonly isTold: boolean;
  /** Whether a job has said that it waits for executors (TaskSchedulerImpl). */
  readonly isWaiting: boolean;
}

const WAITS = "Initial job has not accepted any resources";

/** How executors came and went, according to the driver's log. */
export function registrations(lines: readonly string[]): Registrations {
  const removed = new Set<string>();
  let hasRegistered = false;
  let isTold = false;
  for (const line of lines) {
    isTold ||= /\bINFO\b.*(?:ExecutorPodsAllocator|BlockManagerMaster|KubernetesClusterSchedulerBackend)/.test(line);
    hasRegistered ||=
      /Registered executor NettyRpcEndpointRef|Registering block manager .*BlockManagerId\(\d|Starting task \d|Finished task \d/.test(
        line,
      );
    const found = /(?:Removal of|remove non-existent) executor (\d+)|The executor with id (\S+) exited/.exec(line);
    const id = found?.[1] ?? found?.[2];
    if (id !== undefined) removed.add(id);
  }
  return { removed: removed.size, hasRegistered, isTold, isWaiting: lines.some((line) => line.includes(WAITS)) };
}
