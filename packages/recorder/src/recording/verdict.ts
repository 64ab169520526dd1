import { type Diagnosis, diagnose, type Evidence, type PodEvent, type PodState } from "@kindling/diagnosis";
import type { KubeClient } from "@kindling/kube";
import { eventsOfPods } from "@kindling/submit";
import type { RunSecrets } from "../secrets/run-secrets.ts";
import { stateWithoutSecrets } from "../secrets/state-without-secrets.ts";

/** What is known about an application at its end. */
export interface Verdict {
  readonly diagnosis: Diagnosis;
  readonly events: readonly PodEvent[];
}

export interface VerdictOptions {
  readonly client: Pick<KubeClient, "listAll">;
  /** What may not be kept. */
  readonly secrets: Pick<RunSecrets, "clean">;
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
export async function verdict({ client, secrets, now, signal, ...known }: VerdictOptions): Promise<Verdict> {
  const { driver, executors, log, executorLog } = known;
  const failed = executors.filter(({ phase }) => phase === "Failed");
  const events = (await eventsOfPods(client, [driver, ...failed], signal)).map((event) => ({
    ...event,
    message: secrets.clean(event.message),
  }));
  // A diagnosis quotes messages, and may cut them where a secret is.
  const evidence: Evidence = {
    driver: stateWithoutSecrets(driver, secrets),
    driverContainer: driver.sparkContainer,
    executors: executors.map((executor) => stateWithoutSecrets(executor, secrets)),
    events,
    log: log.length > 0 ? log : undefined,
    executorLog,
  };
  return { diagnosis: diagnose(evidence, now), events };
}
