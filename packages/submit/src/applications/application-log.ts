import { KindlingError, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { followLogs, resources, type KubeClient, type LogOptions } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { followPod } from "../follow/follow-pod.ts";
import { hasStarted, type PodState } from "../cluster/pod-state.ts";

export interface ApplicationLogOptions extends Pick<LogOptions, "tailLines" | "sinceSeconds"> {
  /** The executor whose log is wanted; the driver's if undefined. */
  readonly executor?: string | undefined;
  /** Another container than the one that runs Spark. */
  readonly container?: string | undefined;
  readonly timestamps?: boolean;
  /** Whether to go on until the container ends; one that has not begun is waited for. */
  readonly follow?: boolean;
  /** Told what is waited for. */
  readonly tell: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly outside: Pick<Outside, "clock" | "random">;
}

/**
 * The lines of the log of a driver or an executor.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND` for an executor that is not there, KubeError
 */
export async function* applicationLog(
  client: KubeClient,
  driver: PodState,
  options: ApplicationLogOptions,
): AsyncGenerator<string, void> {
  const { executor, tailLines, sinceSeconds, timestamps = false, follow = false, signal } = options;
  const { namespace } = driver;
  const pod = executor === undefined ? driver.name : await executorPod(client, driver, executor);
  const usual = executor === undefined ? "spark-kubernetes-driver" : "spark-kubernetes-executor";
  const container = options.container ?? (await sparkContainer(client, namespace, pod, usual));
  const wanted = { namespace, container, tailLines, sinceSeconds, timestamps, signal };
  if (follow) {
    await started(client, { namespace, pod, container }, options);
    yield* followLogs(client, pod, wanted);
  } else {
    yield* (await client.logs(pod, wanted)).lines();
  }
}

interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
}

/** Waits until a container has begun: who follows a log wants the one that will be there soon, too. */
async function started(
  client: KubeClient,
  { namespace, pod, container }: LoggedContainer,
  { tell, signal, outside }: ApplicationLogOptions,
): Promise<void> {
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
    if (state.phase !== "Pending" || hasStarted(state, container)) return;
    if (!told) tell(`${namespace}:${pod} has not started yet`);
    told = true;
  }
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

/** The container that runs Spark: by its usual name, else the last one, where Spark puts it. */
async function sparkContainer(
  client: KubeClient,
  namespace: string,
  pod: string,
  usual: string,
): Promise<string | undefined> {
  const { spec } = await client.get(resources.pods, pod, { namespace });
  const names = (spec?.containers ?? []).map(({ name }) => name);
  return names.includes(usual) ? usual : names.at(-1);
}
