import { REDACTED, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { applicationPhase, podState, type Evidence, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import { orNothing } from "./or-nothing.ts";
import { eventsOfPods } from "./pod-events.ts";
import { replaceSecretSettings, withoutUserInfo } from "../secrets/redact.ts";

export interface EvidenceOptions {
  /** The container of the driver pod that runs Spark. */
  readonly driverContainer: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Enough for the longest chain of causes. What was written before the last megabyte did not end the driver. */
const MOST_BYTES = 1024 * 1024;
/**
 * The API server starts with the first of these lines and stops at the byte limit (PodLogOptions). If the lines are long, the
 * end is cut off. Then fewer lines are asked for.
 */
const MOST_LINES = [2000, 200, 20] as const;
/** An executor that ended at once has written little. */
const EXECUTOR_LINES = [200, 20] as const;

/**
 * Collects what shows the state of an application: its executor pods, events and the end of the driver's log. Parts that this
 * user may not see are left `undefined`.
 */
export async function gatherEvidence(
  client: KubeClient,
  driver: PodState,
  options: EvidenceOptions,
): Promise<Evidence> {
  const { driverContainer, signal } = options;
  const phase = applicationPhase(driver, driverContainer);
  const [executors, log] = await Promise.all([
    executorsOf(client, driver, signal),
    // A driver that has not started has no log, and a driver that ended well needs no explanation.
    phase === "Pending" || phase === "Succeeded" ? undefined : tailOf(client, driver, options),
  ]);
  const examined = [driver, ...(executors ?? [])].filter(mayHaveEvents);
  const [executorLog, events] = await Promise.all([
    executorLogOf(client, executors ?? [], signal),
    eventsOfPods(client, examined, signal),
  ]);
  return {
    driver,
    driverContainer,
    executors,
    ...(log ?? { log: undefined }),
    executorLog,
    events,
  };
}

/** A running pod needs no events any more; for a failed pod, events may say why. */
function mayHaveEvents(pod: PodState): boolean {
  return pod.phase !== "Running" && pod.phase !== "Succeeded";
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

interface Log {
  readonly log: readonly string[];
  readonly logTimes: readonly string[];
}

async function tailOf(
  client: KubeClient,
  pod: PodState,
  { driverContainer, signal }: EvidenceOptions,
): Promise<Log | undefined> {
  return await orNothing(
    async () => await endOfLog(client, pod, { container: driverContainer, signal, lines: MOST_LINES }),
  );
}

/** The log of the executor that failed last, among the pods that still exist: Spark usually deletes them. */
async function executorLogOf(
  client: KubeClient,
  executors: readonly PodState[],
  signal: AbortSignal | undefined,
): Promise<Evidence["executorLog"]> {
  const [pod] = executors
    .filter(({ phase, containers }) => phase === "Failed" && containers.some(({ state }) => state === "terminated"))
    .toSorted((a, b) => (b.created ?? "").localeCompare(a.created ?? ""));
  if (pod === undefined) return undefined;
  return await orNothing(async () => {
    const { log } = await endOfLog(client, pod, { container: pod.sparkContainer, signal, lines: EXECUTOR_LINES });
    return { pod: pod.name, log };
  });
}

interface TailOptions {
  readonly container: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** How many lines to ask for, then how many if those are too many bytes. */
  readonly lines: readonly number[];
}

async function endOfLog(
  client: KubeClient,
  { namespace, name }: Pick<PodState, "namespace" | "name">,
  { container, signal, lines: [tailLines = 20, ...fewer] }: TailOptions,
): Promise<Log> {
  const options = { namespace, container, signal, tailLines, limitBytes: MOST_BYTES, timestamps: true };
  const stream = await client.logs(name, options);
  const log: string[] = [];
  const logTimes: string[] = [];
  let bytes = 0;
  for await (const line of stream.lines()) {
    const [, time = "", text = ""] = /^(\S*) ?(.*)$/s.exec(line) ?? [];
    bytes += Buffer.byteLength(line) + 1;
    log.push(withoutSecrets(text));
    logTimes.push(time);
  }
  if (bytes < MOST_BYTES || fewer.length === 0) return { log, logTimes };
  return await endOfLog(client, { namespace, name }, { container, signal, lines: fewer });
}

/** A log belongs to the application. Lines of it are quoted in places where the log itself is not shown. */
function withoutSecrets(line: string): string {
  return withoutUserInfo(replaceSecretSettings(line, () => REDACTED));
}
