import { createWriteStream, type WriteStream } from "node:fs";
import { DevCluster } from "@kindling/devcluster";
import type { Gateway } from "@kindling/gateway";
import { createKubeClient, loadClusterAccess, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { ClusterOptions } from "../args/cluster-options.ts";
import { serveControl } from "../control/control-server.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import type { ChosenSpark } from "../spark/choose-spark.ts";
import { describeImages, type DescribedImages } from "../images/described-images.ts";
import { prepareState, removeTraces, writePrivate } from "../state/state-files.ts";
import { statePaths, type StatePaths } from "../state/state-paths.ts";
import { makeDriverAccount, NAMESPACE } from "./driver-account.ts";
import { driverMaster } from "./driver-master.ts";
import { imageSources } from "./image-sources.ts";
import { podRuntime } from "./pod-runtime.ts";
import { startDevRecorder } from "./recorder.ts";
import { schedulerKeys, sparkDefaults, type WhoAllocates } from "./spark-defaults.ts";
import { startStaging } from "./staging.ts";

/** A cluster with its staging server, in this process. */
export interface Instance {
  readonly status: InstanceStatus;
  /** Fulfilled when the instance has ended, because it was asked to or because it cannot go on. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface InstanceOptions extends ClusterOptions {
  /** The Spark for applications that name no image. */
  readonly chosen: ChosenSpark;
  /** Whether another process has prepared the log that this process writes to. */
  readonly logIsReady: boolean;
}

/**
 * Starts an instance. It is ready when the promise is fulfilled.
 *
 * @throws KindlingError if it cannot start; then nothing is left running
 */
export async function startInstance(
  options: InstanceOptions,
  { clock, env, random }: Pick<Outside, "clock" | "env" | "random">,
): Promise<Instance> {
  const paths = statePaths(options.stateFolder);
  if (!options.logIsReady) await prepareState(paths);
  const log = createWriteStream(paths.log, { flags: "a" });
  const stopping = new AbortController();
  const undo: (() => unknown)[] = [() => log.end()];
  let stopped: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const stop = (): Promise<void> => {
    stopping.abort();
    stopped ??= undoAll(undo, (error) => log.write(`${String(error)}\n`)).finally(end);
    return stopped;
  };
  const given: Starting = { options, outside: { clock, env, random }, paths, log, undo, stop };
  try {
    const images = imageSources(options, paths, { clock, env }, stopping.signal);
    const cluster = await startCluster(given, images);
    const status = await startServices(given, cluster);
    const control = await serveControl(paths.socket, {
      status: async () => ({ ...status, images: await describeImages(images) }),
      stop,
    });
    undo.push(() => control.close());
    return { status, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The input for starting an instance, and the functions that end it. */
interface Starting {
  readonly options: InstanceOptions;
  readonly outside: Pick<Outside, "clock" | "env" | "random">;
  readonly paths: StatePaths;
  readonly log: WriteStream;
  readonly undo: (() => unknown)[];
  readonly stop: () => Promise<void>;
}

/** This comes first: the runtime locks the state folder for this process. */
async function startCluster(
  { options, paths, undo }: Starting,
  images: readonly DescribedImages[],
): Promise<DevCluster> {
  const cluster = await DevCluster.start({
    tls: true,
    authorization: "rbac",
    port: options.port,
    nodes: Array.from({ length: options.nodes }, () => ({
      ...(options.cpu !== undefined && { cpu: options.cpu }),
      ...(options.memory !== undefined && { memory: options.memory }),
    })),
    runtime: podRuntime(images, paths),
  });
  undo.push(
    () => cluster.stop(),
    () => removeTraces(paths),
  );
  await writePrivate(paths.kubeconfig, cluster.kubeconfig());
  return cluster;
}

/** Everything that runs beside the cluster, and what applications need to know about it. */
async function startServices(starting: Starting, cluster: DevCluster): Promise<InstanceStatus> {
  const { options, outside, paths, log, undo, stop } = starting;
  const { clock, random } = outside;
  const access = await loadClusterAccess({ kubeconfigPath: paths.kubeconfig });
  const client = createKubeClient(access, { namespace: NAMESPACE });
  undo.push(() => client.close());
  const { retention } = options;
  // Each is ended also if another one cannot start.
  const ending = <Part extends { stop(): unknown }>(part: Part): Part => {
    undo.push(() => part.stop());
    return part;
  };
  const [staging, recorder] = await Promise.all([
    startStaging(paths, random, log, (error) => {
      log.write(`${error.message}\n`);
      void stop();
    }).then(ending),
    startDevRecorder({ cluster, client, paths, log, retention, clock, random }).then(ending),
    makeDriverAccount(client, !options.gateway),
  ]);
  const gateway = options.gateway ? await startGateway(starting, cluster, client) : undefined;
  const executors: WhoAllocates =
    gateway === undefined
      ? { kind: "driver", driverMaster: await driverMaster(client) }
      : { kind: "gateway", gatewayUri: gateway.uri, pageUri: gateway.adminUri };
  const image = `apache/spark:${options.chosen.version}`;
  const defaults = { paths, image, stagingUri: staging.uri, executors };
  await writePrivate(paths.sparkDefaults, sparkDefaults(defaults));
  if (options.operator) await startOperator(starting, client, executors);
  return {
    pid: process.pid,
    since: new Date(clock.now()).toISOString(),
    url: cluster.url,
    nodes: options.nodes,
    kubeconfig: paths.kubeconfig,
    confDir: paths.conf,
    log: paths.log,
    staging: staging.uri,
    ...(gateway !== undefined && { gateway: { uri: gateway.uri, page: gateway.adminUri } }),
    ...(options.operator && { operator: true }),
    history: recorder.status,
    spark: options.chosen,
    image,
  };
}

/** Its modules are loaded only if it is wanted: they take longer than the rest of a start. */
async function startGateway(
  { options, outside, paths, log, undo }: Starting,
  cluster: DevCluster,
  client: KubeClient,
): Promise<Gateway> {
  const { clock, random } = outside;
  const { startDevGateway } = await import("./gateway.ts");
  const gateway = await startDevGateway({ cluster, client, paths, log, queues: options.queues, clock, random });
  undo.push(() => gateway.stop());
  return gateway;
}

async function startOperator(
  { options, outside, paths, log, undo }: Starting,
  client: KubeClient,
  executors: WhoAllocates,
): Promise<void> {
  const { clock, random } = outside;
  const sparkConf = schedulerKeys(executors);
  const driversMakeExecutors = !options.gateway;
  const { startDevOperator } = await import("./operator.ts");
  const operator = await startDevOperator({ client, paths, log, sparkConf, driversMakeExecutors, clock, random });
  undo.push(() => operator.stop());
}

/** The last started part ends first; a part that fails to end does not hold up the others. */
async function undoAll(steps: (() => unknown)[], onError: (error: unknown) => void): Promise<void> {
  for (const step of steps.reverse()) {
    try {
      await step();
    } catch (error) {
      onError(error);
    }
  }
}
