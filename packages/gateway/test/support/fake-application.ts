import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { Container, Pod, Volume } from "kubernetes-types/core/v1.js";
import { FakeDriver, items } from "./fake-driver.ts";

export interface FakeApplicationOptions {
  /** The CPUs of the driver and of each executor. */
  readonly cpu?: number;
  readonly executors?: number;
  /** The node labels that the driver and the executors ask for, if these are different. */
  readonly nodes?: { readonly driver: Record<string, string>; readonly executors: Record<string, string> };
  readonly queue?: string;
  /** What the application wishes of spot nodes. */
  readonly spot?: { readonly share: number; readonly onDemand?: readonly string[]; readonly fallback?: boolean };
  readonly priority?: number | undefined;
  /** Whether its executors have a preStop hook, as with Spark's decommissioning. */
  readonly isDecommissioned?: boolean;
  readonly namespace?: string;
  /** Further labels of the driver, which its executors have as well. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The pause before its driver is started again. */
  readonly backoffSeconds?: number;
  /** Volumes of the driver. */
  readonly volumes?: readonly Volume[];
  /** Further containers of the driver, each with as many CPUs as the first. */
  readonly sidecars?: readonly string[];
}

/** An application of the gateway, as `spark.kindling.scheduler=gateway` announces it: a driver behind the gate. */
export class FakeApplication {
  readonly driver: FakeDriver;
  readonly #cluster: TestCluster;
  readonly #client: ApiClient;
  readonly #options: FakeApplicationOptions;
  #nextId = 1;

  private constructor(cluster: TestCluster, driver: FakeDriver, client: ApiClient, options: FakeApplicationOptions) {
    this.#cluster = cluster;
    this.driver = driver;
    this.#client = client;
    this.#options = options;
  }

  static async submit(
    cluster: TestCluster,
    gateway: { readonly uri: string },
    name: string,
    options: FakeApplicationOptions = {},
  ): Promise<FakeApplication> {
    const {
      cpu = 1,
      executors = 0,
      queue,
      priority,
      isDecommissioned = false,
      namespace = "spark-jobs",
      volumes = [],
      sidecars = [],
      nodes,
      spot,
      labels = {},
      backoffSeconds,
    } = options;
    const confMap = `${name}-conf`;
    const conf = ["spark.decommission.enabled=true", "spark.storage.decommission.enabled=true"].join("\n");
    if (isDecommissioned) {
      const map = { metadata: { name: confMap }, data: { "spark.properties": conf } };
      await cluster.send("POST", `/api/v1/namespaces/${namespace}/configmaps`, map);
    }
    const driver = await FakeDriver.run(cluster, name, {
      ...{ isGated: true, namespace },
      labels: {
        "scheduler.kindling/gateway": "true",
        ...(queue !== undefined && { "scheduler.kindling/queue": queue }),
        ...labels,
      },
      annotations: {
        "scheduler.kindling/min-executors": String(executors),
        ...(priority !== undefined && { "scheduler.kindling/priority": String(priority) }),
        "scheduler.kindling/executor-request": JSON.stringify({ cpu: String(cpu) }),
        ...(spot !== undefined && {
          "scheduler.kindling/spot": JSON.stringify({ onDemand: ["driver", "minExecutors"], ...spot }),
        }),
        ...(backoffSeconds !== undefined && {
          "scheduler.kindling/driver-restart-backoff-seconds": String(backoffSeconds),
        }),
        ...(nodes !== undefined && {
          "scheduler.kindling/executor-placement": JSON.stringify({ nodeSelector: nodes.executors }),
          "scheduler.kindling/executor-allowance": JSON.stringify({ nodeSelector: nodes.executors }),
        }),
      },
      spec: {
        ...(nodes !== undefined && { nodeSelector: nodes.driver }),
        containers: ["spark-kubernetes-driver", ...sidecars].map((one) => containerOf(one, cpu)),
        volumes: [
          ...volumes,
          ...(isDecommissioned ? [{ name: "spark-conf-volume-driver", configMap: { name: confMap } }] : []),
        ],
      },
    });
    return new FakeApplication(cluster, driver, driver.at(gateway), options);
  }

  get name(): string {
    return this.driver.pod.metadata?.name ?? "";
  }

  async pod(): Promise<Pod> {
    return (await this.#cluster.send("GET", this.driver.path("pods", this.name))) as Pod;
  }

  async isGated(): Promise<boolean> {
    return ((await this.pod()).spec?.schedulingGates ?? []).length > 0;
  }

  async started(): Promise<void> {
    // It may wait for many others. The test's own time limit comes first.
    await this.#cluster.inPhase(this.driver.pod, "Running", { timeout: 300_000 });
  }

  /** Asks for executors, as a driver that has started. */
  async ask(count: number): Promise<void> {
    const { cpu = 1, isDecommissioned = false } = this.#options;
    const hook = { lifecycle: { preStop: { exec: { command: ["/opt/decom.sh"] } } } };
    for (let asked = 0; asked < count; asked++) {
      const containers = [{ ...containerOf("spark-kubernetes-executor", cpu), ...(isDecommissioned && hook) }];
      const nodeSelector = this.#options.nodes?.executors;
      const spec = { containers, ...(nodeSelector !== undefined && { nodeSelector }) };
      const executor = this.driver.executor(this.#nextId++, { spec });
      const { metadata } = executor;
      const pod = { ...executor, metadata: { ...metadata, labels: { ...metadata?.labels, ...this.#options.labels } } };
      const { status } = await this.#client.post(this.driver.path("pods"), pod);
      if (status !== 201) throw new Error(`an executor was answered with ${status}`);
    }
  }

  /** Its executors, as it sees them. */
  async executors(): Promise<Pod[]> {
    return items(await this.#client.get(`${this.driver.path("pods")}?labelSelector=${this.driver.executorSelector}`));
  }

  /** Gives up executors, the latest first. */
  async release(count: number): Promise<void> {
    const names = (await this.executors()).map(({ metadata }) => metadata?.name ?? "");
    const latest = names.toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, count);
    for (const name of latest) await this.#client.delete(this.driver.path("pods", name));
  }

  async running(): Promise<number> {
    return (await this.executors()).filter(({ status }) => status?.phase === "Running").length;
  }

  async hasRunning(count: number): Promise<void> {
    await eventually(async () => {
      const running = await this.running();
      if (running !== count) throw new Error(`${this.name} has ${running} executors that run, and not ${count}`);
    });
  }

  /** Ends successfully, like a driver that has finished its work: its executors are deleted with it. */
  async finish(): Promise<void> {
    await this.#client.delete(`${this.driver.path("pods")}?labelSelector=${this.driver.executorSelector}`);
    this.#cluster.end(this.driver.pod, 0);
    await this.#cluster.inPhase(this.driver.pod, "Succeeded");
  }

  /** Starts, gets all executors, and ends. */
  async runToItsEnd(): Promise<void> {
    const { executors = 0 } = this.#options;
    await this.started();
    await this.ask(executors);
    await this.hasRunning(executors);
    await this.finish();
  }
}

/** The number that Spark gave an executor. */
function numberOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1]);
}

function containerOf(name: string, cpu: number): Container {
  return { name, image: "spark", resources: { requests: { cpu: String(cpu) } } };
}
