import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { parseQuantity } from "@kindling/core-spec";
import { type CustomResourceDefinition, definitionOf } from "@kindling/test-cluster/custom-resource-definition";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { onTestFinished } from "vitest";
import { objectAt, objectsAt, textAt } from "../../src/json/fields.ts";

const GROUP = "kueue.x-k8s.io";
const VERSION = "v1beta2";
const ALL = `/apis/${GROUP}/${VERSION}`;

/** The kinds of Kueue's installation that the gateway uses. */
export const KUEUE: readonly CustomResourceDefinition[] = [
  definitionOf({
    ...{ group: GROUP, version: VERSION, scope: "Namespaced", plural: "workloads", kind: "Workload" },
    hasStatus: true,
  }),
  ...(
    [
      ["resourceflavors", "ResourceFlavor"],
      ["workloadpriorityclasses", "WorkloadPriorityClass"],
    ] as const
  ).map(([plural, kind]) => definitionOf({ group: GROUP, version: VERSION, scope: "Cluster", plural, kind })),
];

export interface QuotaOptions {
  readonly cpu: number;
  readonly flavor?: { readonly name: string; readonly spec?: JsonObject };
}

/**
 * Decides on Workloads as Kueue does with one ClusterQueue: the highest priority first, in part where a pod set allows it, and
 * by eviction of Workloads with a lower priority. It keeps the quota of an evicted Workload until its owner gives it back.
 */
export class QuotaOfKueue {
  readonly #cluster: TestCluster;
  readonly #flavor: string;
  #cpu: number;
  /** Whether it decides at present. */
  isOn = true;

  private constructor(cluster: TestCluster, { cpu, flavor }: QuotaOptions) {
    this.#cluster = cluster;
    this.#cpu = cpu;
    this.#flavor = flavor?.name ?? "any";
  }

  static async start(cluster: TestCluster, options: QuotaOptions): Promise<QuotaOfKueue> {
    const { name, spec = {} } = options.flavor ?? { name: "any" };
    await cluster.send("POST", `${ALL}/resourceflavors`, { ...kindOf("ResourceFlavor"), metadata: { name }, spec });
    const quota = new QuotaOfKueue(cluster, options);
    quota.#run();
    return quota;
  }

  set cpu(cpu: number) {
    this.#cpu = cpu;
  }

  async workloads(): Promise<KubeObject[]> {
    const { items } = (await this.#cluster.send("GET", `${ALL}/workloads`)) as { readonly items: KubeObject[] };
    return items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** The Workloads by name, each with what it has: executors, or its state. */
  async summary(): Promise<Record<string, string>> {
    const all = await this.workloads();
    return Object.fromEntries(all.map((one) => [one.metadata.name.replace(/-[0-9a-f]{8}-/, "-"), stateOf(one)]));
  }

  /** How many CPUs Workloads have and how many they wait for. */
  async total(): Promise<{ readonly had: number; readonly waiting: number }> {
    const all = (await this.workloads()).filter((one) => !isTrue(one, "Finished"));
    const waiting = all.filter((one) => objectsAt(one, "status", "admission", "podSetAssignments").length === 0);
    const sum = (of: (one: KubeObject) => number, list: readonly KubeObject[]): number =>
      list.reduce((total, one) => total + of(one), 0);
    return { had: sum(used, all), waiting: sum(wanted, waiting) };
  }

  /** Uses the quota with a job of its own. */
  async job(name: string, cpu: number, priority: number): Promise<void> {
    const template = { spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] } };
    await this.#cluster.send("POST", `${ALL}/namespaces/spark-jobs/workloads`, {
      ...{ ...kindOf("Workload"), metadata: { name } },
      spec: { queueName: "team", priority, podSets: [{ name: "main", count: cpu, template }] },
    });
  }

  async finish(name: string): Promise<void> {
    await this.#cluster.send("DELETE", `${ALL}/namespaces/spark-jobs/workloads/${name}`);
  }

  /** Gives a Workload quota and takes it back in the same moment. */
  async admitAndEvict(name: string): Promise<void> {
    const found = (await this.workloads()).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`there is no Workload ${name}`);
    const podSetAssignments = objectsAt(found, "spec", "podSets").map(({ name: set, count }) => ({
      ...{ name: set ?? "", count: count ?? 1, flavors: { cpu: this.#flavor } },
    }));
    await this.#write(found, { admission: { clusterQueue: "all", podSetAssignments } }, [
      condition("QuotaReserved", "True", "QuotaReserved", ""),
      condition("Evicted", "True", "Preempted", "taken back"),
    ]);
  }

  /** Takes the quota of a Workload back. */
  async evict(name: string, reason: string): Promise<void> {
    const found = (await this.workloads()).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`there is no Workload ${name}`);
    await this.#write(found, {}, [condition("Evicted", "True", reason, "taken back")]);
  }

  #run(): void {
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const loop = async (): Promise<void> => {
      while (!over.signal.aborted) {
        // A Workload may change or go while it is decided on.
        if (this.isOn) await this.#decide().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    void loop();
  }

  async #decide(): Promise<void> {
    const all = await this.workloads();
    const reserved = all.filter((one) => objectsAt(one, "status", "admission", "podSetAssignments").length > 0);
    const pending = all
      .filter((one) => !reserved.includes(one) && !isTrue(one, "Finished"))
      .toSorted((a, b) => priorityOf(b) - priorityOf(a) || age(a, b));
    const counted = reserved.filter((one) => !isTrue(one, "Finished"));
    let free = this.#cpu - counted.reduce((sum, one) => sum + used(one), 0);
    for (const workload of pending) {
      const count = this.#countWithin(workload, free);
      if (count === undefined) {
        await this.#refuse(workload, counted, free);
        continue;
      }
      await this.#admit(workload, count);
      free -= count;
    }
  }

  /** How many CPUs a Workload gets; undefined if it gets nothing. */
  #countWithin(workload: KubeObject, free: number): number | undefined {
    const asked = wanted(workload);
    if (asked <= free) return asked;
    const [set] = objectsAt(workload, "spec", "podSets");
    const least = set?.["minCount"];
    return typeof least === "number" && least <= free ? free : undefined;
  }

  async #refuse(workload: KubeObject, reserved: readonly KubeObject[], free: number): Promise<void> {
    const asked = wanted(workload);
    const victims = reserved
      .filter((one) => priorityOf(one) < priorityOf(workload))
      .toSorted((a, b) => priorityOf(a) - priorityOf(b) || age(b, a));
    let room = free + victims.filter((one) => isTrue(one, "Evicted")).reduce((sum, one) => sum + used(one), 0);
    if (room + victims.filter((one) => !isTrue(one, "Evicted")).reduce((sum, one) => sum + used(one), 0) >= asked) {
      for (const victim of victims) {
        if (room >= asked) break;
        if (isTrue(victim, "Evicted")) continue;
        room += used(victim);
        await this.#write(victim, {}, [
          condition("Evicted", "True", "Preempted", "Preempted to accommodate a workload"),
        ]);
      }
    }
    const message = `couldn't assign flavors to pod set: insufficient unused quota for cpu, ${asked - free} more needed`;
    if (textAt(conditionOf(workload, "QuotaReserved"), "message") !== message)
      await this.#write(workload, {}, [condition("QuotaReserved", "False", "Pending", message)]);
  }

  async #admit(workload: KubeObject, cpus: number): Promise<void> {
    const sets = objectsAt(workload, "spec", "podSets");
    const podSetAssignments = sets.map((set) => ({
      name: set["name"] ?? "",
      flavors: { cpu: this.#flavor },
      count: sets.length === 1 ? cpus / cpuOf(set) : (set["count"] ?? 1),
    }));
    await this.#write(workload, { admission: { clusterQueue: "all", podSetAssignments } }, [
      condition("QuotaReserved", "True", "QuotaReserved", ""),
      condition("Admitted", "True", "Admitted", ""),
      condition("Evicted", "False", "QuotaReserved", ""),
    ]);
  }

  async #write({ metadata, ...object }: KubeObject, status: JsonObject, changes: readonly JsonObject[]): Promise<void> {
    const types = new Set(changes.map(({ type }) => type));
    const known = objectsAt(objectAt(object, "status"), "conditions").filter(({ type }) => !types.has(type));
    const { namespace = "", name, resourceVersion } = metadata;
    await this.#cluster.send("PATCH", `${ALL}/namespaces/${namespace}/workloads/${name}/status`, {
      metadata: { resourceVersion },
      status: { ...status, conditions: [...known, ...changes] },
    });
  }
}

function stateOf(workload: KubeObject): string {
  if (isTrue(workload, "Finished")) return "finished";
  const assignments = objectsAt(workload, "status", "admission", "podSetAssignments");
  if (assignments.length === 0) return `waits for ${wanted(workload)}`;
  return `${isTrue(workload, "Evicted") ? "evicted from" : "has"} ${used(workload)}`;
}

/** The CPUs that a Workload has. */
function used(workload: KubeObject): number {
  const assigned = objectsAt(workload, "status", "admission", "podSetAssignments");
  return objectsAt(workload, "spec", "podSets").reduce((sum, set) => {
    const count = Number(assigned.find(({ name }) => name === set["name"])?.["count"] ?? 0);
    return sum + Math.min(count, askedCount(workload, set)) * cpuOf(set);
  }, 0);
}

function wanted(workload: KubeObject): number {
  return objectsAt(workload, "spec", "podSets").reduce((sum, set) => sum + askedCount(workload, set) * cpuOf(set), 0);
}

function askedCount(workload: KubeObject, set: JsonObject): number {
  const reclaimed = objectsAt(workload, "status", "reclaimablePods").find(({ name }) => name === set["name"]);
  return Number(set["count"]) - Number(reclaimed?.["count"] ?? 0);
}

function cpuOf(set: JsonObject): number {
  return objectsAt(set, "template", "spec", "containers").reduce((sum, container) => {
    const cpu = parseQuantity(textAt(container, "resources", "requests", "cpu") ?? "0");
    return sum + (cpu === undefined ? 0 : Number(cpu.numerator) / Number(cpu.denominator));
  }, 0);
}

function priorityOf(workload: KubeObject): number {
  return Number(objectAt(workload, "spec")["priority"] ?? 0);
}

function age(a: KubeObject, b: KubeObject): number {
  const [first, second] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return first < second ? -1 : first > second ? 1 : a.metadata.name < b.metadata.name ? -1 : 1;
}

function isTrue(workload: KubeObject, type: string): boolean {
  return conditionOf(workload, type)?.["status"] === "True";
}

function conditionOf(workload: KubeObject, type: string): JsonObject | undefined {
  return objectsAt(workload, "status", "conditions").find((one) => one["type"] === type);
}

function condition(type: string, status: "True" | "False", reason: string, message: string): JsonObject {
  return { type, status, reason, message, lastTransitionTime: new Date().toISOString() };
}

function kindOf(kind: string): JsonObject {
  return { apiVersion: `${GROUP}/${VERSION}`, kind };
}
