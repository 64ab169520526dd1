import { KindlingError, quotedName, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { followLogs, resources, type KubeClient, type LogOptions } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { followDriver, isOver } from "../follow/follow-driver.ts";
import { followPod } from "../follow/follow-pod.ts";
import { podState, sparkContainer, type ContainerState, type PodState } from "@kindling/diagnosis";

export interface ApplicationLogOptions extends Pick<LogOptions, "tailLines" | "sinceSeconds"> {
  /** The executor to show the log of. Default: the driver. */
  readonly executor?: string | undefined;
  /** A container other than the one that runs Spark. */
  readonly container?: string | undefined;
  readonly timestamps?: boolean;
  /** Whether to go on until the container ends. A container that has not started yet is waited for. */
  readonly follow?: boolean;
  /** The command that waits for a log, `kindling logs -f`: for the hint if there is no log yet. */
  readonly howToWait?: string;
  /** Called with a message that says what is waited for. */
  readonly tell: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly outside: Pick<Outside, "clock" | "random">;
}

/**
 * The lines of the log of a driver or an executor.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND` for an executor that does not exist, `NOT_STARTED` for a container that has not
 *   started, if it is not waited for; KubeError
 */
export async function* applicationLog(
  client: KubeClient,
  pod: Pod,
  options: ApplicationLogOptions,
): AsyncGenerator<string, void> {
  const driver = podState(pod);
  const { executor, tailLines, sinceSeconds, timestamps = false, follow = false, signal } = options;
  const { namespace } = driver;
  const name = executor === undefined ? driver.name : await executorPod(client, driver, executor);
  const logged = executor === undefined ? pod : await client.get(resources.pods, name, { namespace });
  const container = options.container === undefined ? sparkContainer(logged) : containerOf(logged, options.container);
  const wanted = { namespace, container, tailLines, sinceSeconds, timestamps, signal };
  if (follow) {
    let current: PodState | undefined = driver;
    do {
      const begun = await started(client, { namespace, pod: name, container }, options);
      yield* followLogs(client, name, wanted);
      current = executor === undefined ? await nextDriver(client, begun ?? current, options) : undefined;
    } while (current !== undefined);
  } else {
    // For a pod without a node the API server returns an empty log. For a container that waits on a node it refuses the
    // request.
    refuseUnstarted(podState(logged), container, options);
    yield* (await client.logs(name, wanted)).lines();
  }
}

function refuseUnstarted(
  state: PodState,
  container: string | undefined,
  { howToWait }: Pick<ApplicationLogOptions, "howToWait">,
): void {
  const { namespace, name, phase, sparkContainer: own, containers } = state;
  const isWaiting = phase === "Pending" || (phase === "Failed" && containers.length > 0);
  if (!isWaiting || hasLog(state, container)) return;
  const called = `${namespace}:${name}`;
  const what = container === own ? called : `container ${container} of ${called}`;
  throw phase === "Pending"
    ? new KindlingError("NOT_STARTED", `${what} has not started: there is no log yet`, {
        ...(howToWait !== undefined && { hint: `${howToWait} waits for it` }),
      })
    : new KindlingError("NOT_STARTED", `${called} failed before its container ${container} started: it has no log`);
}

/**
 * Whether a container (also an init container) has started. A container that waits for a restart still has the log of its
 * last run.
 */
function hasLog({ initContainers, containers, node }: PodState, container: string | undefined): boolean {
  const found = [...initContainers, ...containers].find(({ name }) => name === container);
  // This state does not include containers that were added to the pod later.
  return found === undefined ? node !== undefined : hasBegun(found);
}

function hasBegun({ state, last }: ContainerState): boolean {
  return state === "running" || state === "terminated" || last !== undefined;
}

/** @throws KindlingError `ARGUMENT_INVALID` if the pod has no such container */
function containerOf({ spec }: Pod, name: string): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((one) => one.name);
  if (names.includes(name)) return name;
  throw new KindlingError("ARGUMENT_INVALID", `the pod has no container ${quotedName(name)}`, {
    hint: `it has ${names.join(", ")}`,
  });
}

interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
}

/**
 * Waits until a container has started: a user who follows a log also wants the log of a container that starts soon. Returns the
 * state of its pod at that time; `undefined` if the pod is gone.
 */
async function started(
  client: KubeClient,
  { namespace, pod, container }: LoggedContainer,
  { tell, signal, outside }: ApplicationLogOptions,
): Promise<PodState | undefined> {
  let told = false;
  const states = followPod(client, {
    namespace,
    name: pod,
    intervalMs: 1000,
    outside,
    signal,
    onTrouble: ({ message }) => tell(message),
  });
  for await (const state of states) {
    if (state.phase !== "Pending" || hasLog(state, container)) return state;
    if (!told) tell(`${namespace}:${pod} has not started yet`);
    told = true;
  }
  return undefined;
}

/** The next driver pod after the log of one has ended, once it exists. `undefined` if there is no next pod. */
async function nextDriver(
  client: KubeClient,
  ended: PodState,
  { tell, signal, outside }: ApplicationLogOptions,
): Promise<PodState | undefined> {
  const { namespace, name, uid } = ended;
  const options = { namespace, name, intervalMs: 1000, outside, signal, known: ended };
  for await (const state of followDriver(client, { ...options, onTrouble: ({ message }) => tell(message) })) {
    if (state.uid !== uid) {
      tell(`${namespace}:${name} was started again`);
      return state;
    }
    if (state.restart === undefined || isOver(state)) return undefined;
  }
  return undefined;
}

async function executorPod(client: KubeClient, driver: PodState, id: string): Promise<string> {
  const { items } = await client.listAll(resources.pods, {
    namespace: driver.namespace,
    labelSelector: `${SPARK_APP_ID_LABEL}=${driver.labels[SPARK_APP_ID_LABEL] ?? ""},spark-role=executor,spark-exec-id=${id}`,
  });
  const name = items[0]?.metadata?.name;
  if (name === undefined) {
    throw new KindlingError("OBJECT_NOT_FOUND", `executor ${id} of ${driver.namespace}:${driver.name} is not there`, {
      hint: "Spark deletes executors that ended, unless spark.kubernetes.executor.deleteOnTermination=false",
    });
  }
  return name;
}
