import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { Overview } from "@kindling/gateway-client";
import { FakeDriver, items } from "../../support/fake-driver.ts";
import type { TestGateway } from "../../support/test-gateway.ts";

/** The visible state of an application: its objects in the cluster, the answers to its driver, and its room. */
export interface Seen {
  readonly objects: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly room: unknown;
}

const EXECUTORS = 3;
const KINDS = ["pods", "configmaps", "persistentvolumeclaims"] as const;

/** A well-behaved application with objects of each kind that a driver can have. */
export class Victim {
  readonly driver: FakeDriver;
  /** What others may know about it: names, uids, its application's id. */
  readonly names: readonly string[];
  readonly #cluster: TestCluster;
  readonly #gateway: TestGateway;
  readonly #client: ApiClient;
  #events = 0;

  private constructor(cluster: TestCluster, gateway: TestGateway, driver: FakeDriver, names: readonly string[]) {
    this.#cluster = cluster;
    this.#gateway = gateway;
    this.driver = driver;
    this.names = names;
    this.#client = driver.at(gateway);
  }

  static async run(cluster: TestCluster, gateway: TestGateway, queue: string): Promise<Victim> {
    const labels = { "scheduler.kindling/gateway": "true", "scheduler.kindling/queue": queue };
    const driver = await FakeDriver.run(cluster, "victim", { labels });
    const client = driver.at(gateway);
    const confMap = "spark-exec-0123456789abcdef-conf-map";
    const owner = driver.executor(0).metadata?.ownerReferences ?? [];
    await client.post(driver.path("configmaps"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: confMap, labels: { "spark-app-selector": driver.app }, ownerReferences: owner },
      data: { "spark.properties": "a=b" },
    });
    for (let id = 1; id <= EXECUTORS; id++) await client.post(driver.path("pods"), driver.executor(id));
    const claim = driver.claim("victim-exec-1-pvc-0", driver.pod);
    await client.post(driver.path("persistentvolumeclaims"), { apiVersion: "v1", kind: claim.kind, ...claim });
    const selected = `${driver.path("pods")}?labelSelector=${driver.executorSelector}`;
    const executors = await eventually(async () => {
      const running = items(await client.get(selected)).filter(({ status }) => status?.phase === "Running");
      if (running.length < EXECUTORS) throw new Error("not all executors run");
      return running;
    });
    const real = await cluster.objects<Pod>("Pod");
    const uids = [...executors, ...real].map(({ metadata }) => metadata?.uid ?? "");
    const names = [
      ...["victim", "victim-exec-1", "victim-exec-2", "victim-exec-9", claim.metadata?.name ?? "", confMap],
      ...[driver.app, driver.uid, `spark-s-${driver.app}-0`, ...uids],
    ];
    const victim = new Victim(cluster, gateway, driver, names);
    await victim.#follow();
    await eventually(() => {
      if (victim.events < EXECUTORS) throw new Error("its watch has not told of all executors");
    });
    return victim;
  }

  async seen(): Promise<Seen> {
    return {
      objects: await this.#objects(),
      answers: await this.#answers(),
      room: this.#room(this.#gateway.overview()),
    };
  }

  /** How many events its watch has received. */
  get events(): number {
    return this.#events;
  }

  /** Checks that it is served as before: it gets one more executor. */
  async getsOneMore(): Promise<void> {
    await this.#client.post(this.driver.path("pods"), this.driver.executor(EXECUTORS + 6));
    await this.driver.made(`victim-exec-${EXECUTORS + 6}`);
  }

  /** Counts the events of its watch: one per line. */
  async #follow(): Promise<void> {
    const path = `${this.driver.path("pods")}?labelSelector=${this.driver.executorSelector}&watch=true`;
    const stream = await this.#client.open("GET", path);
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => (this.#events += text.split("\n").length - 1));
    // The gateway stops with the test.
    stream.on("error", () => undefined);
  }

  async #objects(): Promise<unknown[]> {
    const found: { readonly metadata?: { readonly name?: string } }[] = [];
    for (const kind of ["Pod", "ConfigMap", "PersistentVolumeClaim"] as const) {
      found.push(...(await this.#cluster.objects<Pod>(kind)));
    }
    return found.filter(
      ({ metadata }) => this.names.includes(metadata?.name ?? "") || metadata?.name === "victim-exec-3",
    );
  }

  async #answers(): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const kind of KINDS) answers.push((await this.#client.get(this.driver.path(kind))).body["items"]);
    return answers;
  }

  #room({ applications, queues }: Overview): unknown {
    const { used, state, executors, waits } = applications.find(({ id }) => id === this.driver.app) ?? {};
    return { used, state, executors, waits, queue: queues.find(({ path }) => path === "etl")?.used };
  }
}
