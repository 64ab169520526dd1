import { harmlessText } from "@kindling/core-spec";
import type { Evidence } from "./evidence/evidence.ts";
import { inOrder } from "./evidence/pod-event.ts";
import { applicationPhase } from "@kindling/core-spec";
import type { PodState } from "./evidence/pod-state.ts";
import { readableLog } from "./log/readable-log.ts";
import { isStillRefused } from "./log/refused-request.ts";
import type { Diagnosis, ExecutorCounts, Finding, Role } from "./finding.ts";
import { disruptedPod } from "./rules/disrupted-pod.ts";
import { countExecutors, executorTroubles, isKeeper } from "./rules/executors.ts";
import { deletedDriver, isDeletedByUser } from "./rules/deleted-driver.ts";
import { failedDriver } from "./rules/failed-driver.ts";
import { withHealing } from "./rules/healed-memory.ts";
import { findingOf, type ExaminedPod } from "./rules/role.ts";
import { sidecarsThatRunOn } from "./rules/sidecars.ts";
import { refusals } from "./rules/said-by-driver.ts";
import { waitingPod } from "./rules/waiting-pod.ts";

/**
 * The state of an application, and the reason for it: a pure function of the evidence. Evidence that could not be collected
 * counts as unknown, never as absent.
 *
 * @param now milliseconds since the epoch: something that may still come by itself is no problem yet
 */
export function diagnose(evidence: Evidence, now: number): Diagnosis {
  const { driver, executors } = evidence;
  const readable = { ...evidence, ...readableLog(evidence) };
  const findings =
    driver === undefined ? [] : withHealing(findingsOf(driver, readable, now), driver.memory).map(harmless);
  const counts = executors === undefined ? undefined : countExecutors(executors);
  return { state: stateText(evidence, findings, counts), findings, executors: counts };
}

function findingsOf(driver: PodState, evidence: Evidence, now: number): Finding[] {
  const executors = (evidence.executors ?? []).filter((pod) => !isKeeper(pod));
  const troubles = executorTroubles(
    executors.map((pod) => examined("executor", pod, evidence)),
    evidence,
    now,
  );
  const phase = applicationPhase(driver, evidence.driverContainer);
  if (isDeletedByUser(driver)) return phase === "Failed" ? [deletedDriver(driver)] : [];
  const refused = refusedNow(examined("driver", driver, evidence), evidence, now);
  const sidecars = sidecarsThatRunOn(driver, evidence.driverContainer);
  // Executors end with their driver, and their end explains nothing.
  if (phase === "Failed") {
    const failure = inWordsOf(troubles[0], failedDriver(driver, evidence));
    const others = refused.filter(({ cause }) => cause !== failure.cause);
    return [
      failure,
      ...sidecars,
      ...troubles.filter(({ word, cause }) => word !== ENDED_WITH_DRIVER && cause !== "NoExecutors"),
      ...others,
    ];
  }
  if (phase === "Succeeded") return sidecars;
  const own = examined("driver", driver, evidence);
  const disrupted = disruptedPod("driver", driver);
  const atDriver = disrupted === undefined ? waitingPod(own, now) : [findingOf(own, "obstacle", disrupted)];
  return [...atDriver, ...troubles.filter(({ cause }) => cause !== "NoExecutors" || refused.length === 0), ...refused];
}

/** Spark gives up when too many executors have failed, and says nothing more about them. */
function inWordsOf(trouble: Finding | undefined, failure: Finding): Finding {
  if (trouble === undefined || failure.cause !== "ExecutorsFailing" || !GAVE_UP.test(failure.summary)) return failure;
  const { summary, advice, details } = trouble;
  return {
    ...failure,
    summary: failure.summary.replace(GAVE_UP, `$1: ${summary} (`),
    details,
    advice: advice ?? failure.advice,
  };
}

const GAVE_UP = /^(Spark gave up, because more than \d+ executors had failed) \(/;

const ENDED_WITH_DRIVER = "Error (143)";
/** An older refusal is over: a driver asks again each second while it is refused executors. */
const REFUSED_LATELY_MS = 5 * 60_000;

/** What the API server, or the gateway instead of it, refuses a running driver: the driver asks again and again, and waits. */
function refusedNow(own: ExaminedPod, { log = [], logTimes }: Evidence, now: number): Finding[] {
  const isOver = (last: string | undefined): boolean => now - Date.parse(last ?? "") > REFUSED_LATELY_MS;
  return refusals(own.pod, { log, logTimes })
    .filter(({ at, last }) => isStillRefused({ at }, log) && !(own.pod.phase === "Running" && isOver(last)))
    .map(({ said }) =>
      // The driver runs already; it is asking for executors.
      said.cause === "Forbidden"
        ? findingOf(own, "obstacle", said)
        : { ...findingOf(own, "obstacle", said), role: "executor" as const, pods: [] },
    );
}

/** A log and the names in it may contain control characters for a terminal. */
function harmless(finding: Finding): Finding {
  const { word, summary, details, advice } = finding;
  return {
    ...finding,
    word: harmlessText(word),
    summary: harmlessText(summary),
    details: details.map((line) => harmlessText(line)),
    advice: advice === undefined ? undefined : harmlessText(advice),
  };
}

function examined(role: Role, pod: PodState, { events: known }: Evidence): ExaminedPod {
  const [events, areEventsKnown] = [known ?? [], known !== undefined];
  const own = inOrder(events.filter(({ uid }) => uid === pod.uid));
  return { role, pod, events: own, areEventsKnown };
}

const WITHOUT_NODE: ReadonlySet<Finding["cause"]> = new Set(["Unschedulable", "NodeComing", "SchedulerQueue"]);

function stateText(
  { driver, driverContainer }: Evidence,
  findings: readonly Finding[],
  counts: ExecutorCounts | undefined,
): string {
  if (driver === undefined) return "Deleted";
  const [first] = findings;
  const phase = applicationPhase(driver, driverContainer);
  if (phase === "Failed") return first?.word ?? "Failed";
  if (driver.deleting) return first?.cause === "NodeLost" ? "Terminating (NodeLost)" : "Terminating";
  const own = findings.find(({ role }) => role === "driver");
  if (phase === "Pending") return own === undefined ? "Pending" : own.word;
  if (phase !== "Running") return phase;
  const ofExecutors = findings.find(({ role }) => role === "executor");
  if (ofExecutors === undefined) return own === undefined ? "Running" : `Running (${own.word})`;
  if (!WITHOUT_NODE.has(ofExecutors.cause) || counts === undefined) return `${ofExecutors.word} (executors)`;
  return `${counts.running}/${counts.total} executors: ${ofExecutors.word}`;
}
