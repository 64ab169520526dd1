import { REDACTED, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { isFinished, podEvent, podState, type Evidence, type PodEvent, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import { replaceSecretSettings, withoutUserInfo } from "../secrets/redact.ts";

export interface EvidenceOptions {
  /** The container of the driver pod that runs Spark. */
  readonly driverContainer: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Enough for the longest chain of causes; what stands before the last megabyte has not ended the driver. */
const LOG = { tailLines: 2000, limitBytes: 1024 * 1024, timestamps: true } as const;
/** Of so many pods the events are asked for: the same trouble is told once, however many have it. */
const MOST_EXAMINED = 4;

/**
 * Looks at what tells how an application is: its executor pods, events, the end of the driver's log. What this user may not
 * look at is left open.
 */
export async function gatherEvidence(
  client: KubeClient,
  driver: PodState,
  options: EvidenceOptions,
): Promise<Evidence> {
  const { driverContainer, signal } = options;
  const [executors, log] = await Promise.all([
    executorsOf(client, driver, signal),
    // A driver that has not begun has no log, and one that ended well has nothing to explain.
    driver.phase === "Pending" || driver.phase === "Succeeded" ? undefined : tailOf(client, driver, options),
  ]);
  const examined = [driver, ...(executors ?? [])].filter(mayHaveEvents).slice(0, MOST_EXAMINED);
  const events = await Promise.all(examined.map((pod) => eventsOf(client, pod, signal)));
  return {
    driver,
    driverContainer,
    executors,
    ...(log ?? { log: undefined }),
    events: events.flatMap((some) => some ?? []),
  };
}

/** A pod that runs has had its events; one that failed may have been told why. */
function mayHaveEvents(pod: PodState): boolean {
  return pod.phase !== "Running" && !(isFinished(pod) && pod.phase === "Succeeded");
}

async function executorsOf(
  client: KubeClient,
  { namespace, labels }: PodState,
  signal: AbortSignal | undefined,
): Promise<PodState[] | undefined> {
  const id = labels[SPARK_APP_ID_LABEL];
  if (id === undefined) return undefined;
  const labelSelector = `${SPARK_APP_ID_LABEL}=${id},spark-role=executor`;
  return await orNothing(async () => {
    const { items } = await client.listAll(resources.pods, { namespace, labelSelector, resourceVersion: "0", signal });
    return items.map(podState);
  });
}

async function eventsOf(
  client: KubeClient,
  { namespace, uid }: PodState,
  signal: AbortSignal | undefined,
): Promise<PodEvent[] | undefined> {
  return await orNothing(async () => {
    const { items } = await client.listAll(resources.events, {
      namespace,
      fieldSelector: `involvedObject.uid=${uid}`,
      signal,
    });
    return items.map(podEvent);
  });
}

interface Log {
  readonly log: readonly string[];
  readonly logTimes: readonly string[];
}

async function tailOf(
  client: KubeClient,
  { namespace, name }: PodState,
  { driverContainer, signal }: EvidenceOptions,
): Promise<Log | undefined> {
  return await orNothing(async () => {
    const stream = await client.logs(name, { ...LOG, namespace, container: driverContainer, signal });
    const log: string[] = [];
    const logTimes: string[] = [];
    for await (const line of stream.lines()) {
      const [, time = "", text = ""] = /^(\S*) ?(.*)$/s.exec(line) ?? [];
      log.push(withoutSecrets(text));
      logTimes.push(time);
    }
    return { log, logTimes };
  });
}

/** A log is the application's own; what is quoted of it is shown where the log itself is not. */
function withoutSecrets(line: string): string {
  return withoutUserInfo(replaceSecretSettings(line, () => REDACTED));
}

/** Whoever may not look, or cannot at the moment, learns less, and goes on. */
async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}
