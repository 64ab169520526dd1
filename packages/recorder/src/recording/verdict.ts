import { type Diagnosis, diagnose, type Evidence, type PodEvent, type PodState } from "@kindling/diagnosis";
import type { KubeClient } from "@kindling/kube";
import { eventsOfPods } from "@kindling/submit";

/** What is known about an application at its end. */
export interface Verdict {
  readonly diagnosis: Diagnosis;
  readonly events: readonly PodEvent[];
}

export interface VerdictOptions {
  readonly client: Pick<KubeClient, "listAll">;
  readonly driver: PodState;
  /** Executors that ended, and those that still exist. */
  readonly executors: readonly PodState[];
  /** The last lines of the driver's log. */
  readonly log: readonly string[];
  /** The last lines of the executor that failed last. */
  readonly executorLog: { readonly pod: string; readonly log: readonly string[] } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Says how an application ended, and why. What the cluster does not tell (any more) is left out. */
export async function verdict({ client, now, signal, ...known }: VerdictOptions): Promise<Verdict> {
  const { driver, executors, log, executorLog } = known;
  const failed = executors.filter(({ phase }) => phase === "Failed");
  const events = await eventsOfPods(client, [driver, ...failed], signal);
  const evidence: Evidence = {
    driver,
    driverContainer: driver.sparkContainer,
    executors,
    events,
    log: log.length > 0 ? log : undefined,
    executorLog,
  };
  return { diagnosis: diagnose(evidence, now), events };
}
