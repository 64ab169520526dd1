import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { StatefulSet } from "kubernetes-types/apps/v1.js";
import type { Pod } from "kubernetes-types/core/v1.js";
import { type DriverOptions, FakeDriver, items } from "./fake-driver.ts";

/** A kind of sets, with its path. */
type SetKind = readonly [kind: string, plural: string];

export interface GreedySetOptions extends DriverOptions {
  readonly kind?: SetKind;
  /** The name of the driver's pod. */
  readonly name?: string;
}

/** A driver with executors of one CPU each, in a set. */
export class GreedySet {
  readonly driver: FakeDriver;
  readonly #cluster: TestCluster;
  readonly #kind: SetKind;

  private constructor(cluster: TestCluster, driver: FakeDriver, kind: SetKind) {
    this.#cluster = cluster;
    this.driver = driver;
    this.#kind = kind;
  }

  static async run(cluster: TestCluster, options: GreedySetOptions = {}): Promise<GreedySet> {
    const { kind = ["StatefulSet", "statefulsets"], name = "drv", ...others } = options;
    return new GreedySet(cluster, await FakeDriver.run(cluster, name, others), kind);
  }

  get name(): string {
    return this.driver.setName(this.#kind[0]);
  }

  async ask(client: ApiClient, replicas: number): Promise<void> {
    const changes = this.driver.anExecutor(0).requests({ cpu: "1" }).build();
    const asked = this.driver.setOf(this.#kind[0], { replicas, changes });
    const answer = await client.post(this.#path(), asked);
    if (answer.status !== 201) throw new Error(`the set was answered with ${answer.status}: ${answer.text}`);
  }

  async scale(client: ApiClient, replicas: number): Promise<void> {
    const answer = await client.put(this.#path(this.name, "scale"), { spec: { replicas } });
    if (answer.status !== 200) throw new Error(`the scale was answered with ${answer.status}: ${answer.text}`);
  }

  /** How many replicas the driver has asked for, as the gateway shows it in the set and in its Scale. */
  async asked(client: ApiClient): Promise<unknown[]> {
    const answers = [await client.get(this.#path(this.name)), await client.get(this.#path(this.name, "scale"))];
    return answers.map(({ body }) => (body["spec"] as { readonly replicas: unknown }).replicas);
  }

  /** How many replicas the set has in the cluster. */
  async replicas(): Promise<number | undefined> {
    return ((await this.#cluster.send("GET", this.#path(this.name))) as StatefulSet).spec?.replicas;
  }

  /** Resolves when the set has this number of replicas in the cluster, all of them run, and there are no others. */
  async has(replicas: number): Promise<void> {
    await eventually(async () => {
      const told = await this.replicas();
      const pods = await this.#cluster.objects<Pod>("Pod");
      const own = pods.filter(
        ({ metadata, status }) =>
          metadata?.labels?.["spark-role"] === "executor" &&
          metadata.labels["spark-app-selector"] === this.driver.app &&
          status?.phase === "Running",
      );
      if (told === replicas && own.length === replicas) return;
      throw new Error(`the set has ${told} replicas, ${own.length} run, and ${replicas} are expected of both`);
    });
  }

  /** Its executors as the driver sees them. */
  async executors(client: ApiClient): Promise<Pod[]> {
    return items(await client.get(`${this.driver.path("pods")}?labelSelector=${this.driver.executorSelector}`));
  }

  /** The highest number of replicas that the set was ever given. */
  get mostReplicas(): number {
    const told = this.#cluster.api.writes.filter(({ path }) => path.startsWith(this.#path()));
    return Math.max(0, ...told.map(({ body }) => replicasIn(body)));
  }

  #path(...rest: readonly string[]): string {
    return [`/apis/apps/v1/namespaces/${this.driver.namespace}/${this.#kind[1]}`, ...rest].join("/");
  }
}

function replicasIn(body: unknown): number {
  const { spec } = (body ?? {}) as { readonly spec?: { readonly replicas?: number } };
  return spec?.replicas ?? 0;
}
