import { readFileSync, writeFileSync } from "node:fs";
import { isKubeError, isNotFound, resources, type KubeClient } from "@kindling/kube";
import { APP_DIR, type Fixtures } from "./applications.ts";
import { kindling, submissionIdIn } from "./kindling.ts";
import type { GatewayService } from "./services.ts";
import { eventually, type TestNamespace } from "./test-cluster.ts";

/** The application's folder, on the node and in the containers: all pods must be on one node. */
const FOLDER = "/tmp/kindling-streaming";

export interface Streaming {
  /** The minimum number of files, with ten records each. */
  readonly files: number;
  /** How many drivers are killed by SIGKILL while they stream. */
  readonly kills: number;
  /** How many more are evicted. */
  readonly evictions: number;
}

/** What is left after the end of a streaming application. */
export interface Streamed {
  readonly phase: string;
  /** The last driver's count of the sink: `RECORDS 300 DISTINCT 300 WANTED 300`. */
  readonly counted: string;
  readonly restarts: number;
  /** Details for a person, if the result is wrong. */
  readonly told: string;
}

/** A driver starts within a minute on a busy node, and several drivers may start before each awaited event. */
const PATIENCE_MS = 400_000;

const RESTARTS = "scheduler.kindling/restarts";

/** Runs a streaming application with drivers that end again and again, until one has done the work. */
export async function stream(
  namespace: TestNamespace,
  gateway: GatewayService,
  fixtures: Fixtures,
  { files, kills, evictions }: Streaming,
): Promise<Streamed> {
  const { client } = namespace;
  const volume = (role: string): Record<string, string> => {
    const key = `spark.kubernetes.${role}.volumes.hostPath.stream`;
    return {
      [`${key}.mount.path`]: "/stream",
      [`${key}.options.path`]: `${FOLDER}/${namespace.name}`,
      [`${key}.options.type`]: "DirectoryOrCreate",
    };
  };
  const conf = {
    ...volume("driver"),
    ...volume("executor"),
    "spark.kindling.driver.restart": "onFailure",
    "spark.kindling.driver.restart.maxRestarts": String(kills + evictions),
    "spark.kindling.driver.restart.backoff": "1s",
    "spark.kubernetes.submission.waitAppCompletion": "false",
    "spark.executor.instances": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
  };
  asRoot(fixtures);
  const flags = [...fixtures.flags, ...gateway.flags].concat(
    Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
  );
  const script = `local://${APP_DIR}/streaming.py`;
  const submitted = await kindling(["submit", ...flags, script, "/stream", ...[files, kills, evictions].map(String)]);
  if (submitted.exit !== 0) throw new Error(submitted.err);
  const name = submissionIdIn(submitted.err).split(":")[1] ?? "";
  const look = (): Promise<DriverPod | undefined> => driver(client, name);
  const log = (): Promise<string> => logOf(client, name);
  const told = async (): Promise<string> =>
    `${JSON.stringify(await look())}\n${(await log()).slice(-4000)}\n${gateway.log.join("")}`;
  try {
    const end = await toTheEnd({ look, log, evict: () => evict(namespace, name) }, kills, evictions);
    return { ...end, told: await told() };
  } catch (error) {
    throw new Error(await told(), { cause: error });
  }
}

interface Application {
  readonly look: () => Promise<DriverPod | undefined>;
  readonly log: () => Promise<string>;
  readonly evict: () => Promise<void>;
}

async function toTheEnd(
  { look, log, evict }: Application,
  kills: number,
  evictions: number,
): Promise<Omit<Streamed, "told">> {
  for (let evicted = 0; evicted < evictions; evicted += 1) {
    await soon("a driver that outlives its kills and streams", async () => {
      const restarts = (await look())?.restarts ?? 0;
      return restarts >= kills + evicted && (await log()).includes("STREAMING");
    });
    await evict();
    await soon("the next driver", async () => ((await look())?.restarts ?? 0) > kills + evicted);
  }
  return await soon("the end", async () => {
    const pod = await look();
    if (pod === undefined || pod.isHeld || (pod.phase !== "Succeeded" && pod.phase !== "Failed")) return undefined;
    const [counted = ""] = /^RECORDS .*$/m.exec(await log()) ?? [];
    return { phase: pod.phase, counted, restarts: pod.restarts };
  });
}

async function soon<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  return await eventually(what, look, PATIENCE_MS);
}

/** As when a node is drained. */
async function evict({ client, name: namespace }: TestNamespace, name: string): Promise<void> {
  await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`,
    body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } },
  });
}

interface DriverPod {
  readonly restarts: number;
  readonly phase: string;
  /** Whether another one may follow. */
  readonly isHeld: boolean;
  /** How its container ended, if it has. */
  readonly end?: unknown;
}

/** The driver pod; undefined between two of them. */
async function driver(client: KubeClient, name: string): Promise<DriverPod | undefined> {
  try {
    const { metadata, status } = await client.get(resources.pods, name);
    return {
      restarts: Number(metadata?.annotations?.[RESTARTS] ?? 0),
      phase: status?.phase ?? "",
      isHeld: metadata?.finalizers?.includes("scheduler.kindling/restart") === true,
      end: status?.containerStatuses?.[0]?.state?.terminated,
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The driver's log, as far as it exists. */
async function logOf(client: KubeClient, name: string): Promise<string> {
  const lines: string[] = [];
  try {
    const stream = await client.logs(name);
    for await (const line of stream.lines()) lines.push(line);
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
  return lines.join("\n");
}

/** The node creates the folder for root. */
function asRoot({ conf }: Fixtures): void {
  for (const role of ["driver", "executor"]) {
    const file = conf[`spark.kubernetes.${role}.podTemplateFile`] ?? "";
    const text = readFileSync(file, "utf8");
    if (!text.includes("runAsUser"))
      writeFileSync(file, text.replace("spec:\n", "spec:\n  securityContext: {runAsUser: 0}\n"));
  }
}
