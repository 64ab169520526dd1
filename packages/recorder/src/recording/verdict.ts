import { type Diagnosis, diagnose, type Evidence, podEvent, type PodEvent, type PodState } from "@kindling/diagnosis";
import { type KubeClient, resources } from "@kindling/kube";

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

/** Events are asked for this many pods: the same problem is reported once, no matter how many pods have it. */
const MOST_EXAMINED = 4;

/** Says how an application ended, and why. What the cluster does not tell (any more) is left out. */
export async function verdict({ client, now, signal, ...known }: VerdictOptions): Promise<Verdict> {
  const { driver, executors, log, executorLog } = known;
  const failed = executors.filter(({ phase }) => phase === "Failed");
  const examined = [driver, ...failed].slice(0, MOST_EXAMINED);
  const events = await Promise.all(examined.map((pod) => eventsOf(client, pod, signal)));
  const evidence: Evidence = {
    driver,
    driverContainer: driver.sparkContainer,
    executors,
    events: events.flatMap((some) => some ?? []),
    log: log.length > 0 ? log : undefined,
    executorLog,
  };
  return { diagnosis: diagnose(evidence, now), events: evidence.events ?? [] };
}

async function eventsOf(
  client: Pick<KubeClient, "listAll">,
  { namespace, uid }: PodState,
  signal: AbortSignal,
): Promise<PodEvent[] | undefined> {
  try {
    const fieldSelector = `involvedObject.uid=${uid}`;
    const { items } = await client.listAll(resources.events, { namespace, fieldSelector, signal });
    return items.map(podEvent);
  } catch {
    // They may not be read, or the namespace is gone.
    return undefined;
  }
}
