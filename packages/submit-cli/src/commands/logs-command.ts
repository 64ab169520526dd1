import { type CommandContext, type CommandLine, paint } from "@kindling/command-line";
import { harmlessText, KindlingError, parseTime, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { followLogs, resources, type KubeClient, type LogOptions } from "@kindling/kube";
import { clusterError, followPod, hasStarted, type PodState } from "@kindling/submit";
import { reachOf } from "./reach-options.ts";
import { findDrivers, parseTarget, reachCluster } from "./target.ts";

/** `kindling logs`. */
export async function logsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const [id, ...more] = line.operands;
  if (id === undefined || more.length > 0) {
    throw new KindlingError("ARGUMENT_INVALID", "logs is about one application: name it as NAMESPACE:POD", {
      hint: "kindling list shows them",
    });
  }
  const target = parseTarget(id);
  const limits = { tailLines: count(line.value("tail"), "--tail"), sinceSeconds: seconds(line.value("since")) };
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const drivers = await findDrivers(client, target);
    const [driver] = drivers;
    if (driver === undefined) throw new KindlingError("OBJECT_NOT_FOUND", `${id}: no application is there`);
    if (drivers.length > 1)
      throw new KindlingError("ARGUMENT_INVALID", `${id}: ${drivers.length} applications have such a name`);
    await printLog(client, driver, line, limits, context);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

async function printLog(
  client: KubeClient,
  driver: PodState,
  line: CommandLine,
  limits: Pick<LogOptions, "tailLines" | "sinceSeconds">,
  { output, signal }: CommandContext,
): Promise<void> {
  const executor = line.value("executor");
  const pod = executor === undefined ? driver.name : await executorPod(client, driver, executor);
  const spark = executor === undefined ? "spark-kubernetes-driver" : "spark-kubernetes-executor";
  const container = line.value("container") ?? (await sparkContainer(client, driver.namespace, pod, spark));
  const options = {
    namespace: driver.namespace,
    container,
    ...limits,
    timestamps: line.has("timestamps"),
    signal,
  };
  if (line.has("follow")) {
    await started(client, { namespace: driver.namespace, pod, container, signal, output });
    for await (const text of followLogs(client, pod, options)) output.log(text);
  } else {
    const log = await client.logs(pod, options);
    for await (const text of log.lines()) output.log(text);
  }
}

interface Waiting {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
  readonly signal: AbortSignal;
  readonly output: CommandContext["output"];
}

/** Waits until a container has begun: who follows a log wants the one that will be there soon, too. */
async function started(client: KubeClient, { namespace, pod, container, signal, output }: Waiting): Promise<void> {
  const note = (text: string): void => output.err(`${paint(output, "yellow", "note:")} ${harmlessText(text)}\n`);
  let told = false;
  const states = followPod(client, {
    namespace,
    name: pod,
    intervalMs: 1000,
    signal,
    onTrouble: ({ message }) => note(message),
  });
  for await (const state of states) {
    if (state.phase !== "Pending" || hasStarted(state, container)) return;
    if (!told) note(`${namespace}:${pod} has not started yet`);
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

function count(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new KindlingError("ARGUMENT_INVALID", `${option} ${text}: must be a whole number`);
  return Number(text);
}

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseTime(text, "s");
  if (parsed === undefined || parsed <= 0)
    throw new KindlingError("ARGUMENT_INVALID", `--since ${text}: must be a duration such as 5m`);
  return parsed;
}
