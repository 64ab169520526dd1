import { type KubeObjectLike, resources } from "@kindling/kube";
import type { TestNamespace } from "./test-cluster.ts";

/** Whether the cluster has Kueue. */
export const HAS_KUEUE: boolean = process.env["KINDLING_E2E_KUEUE"] === "1";

const API_VERSION = "kueue.x-k8s.io/v1beta2";
const JOBS_LABEL = "kindling-test-job";

/** What executors, drivers and pods of jobs ask for, in CPUs. */
const POD_CPU = 0.1;

/** LocalQueues `spark` and `batch` in a namespace: all quota is that of `spark`, and `batch` borrows from it. */
export class KueueQueues {
  readonly #namespace: TestNamespace;
  readonly #image: string;
  readonly #objects: readonly KubeObjectLike[];

  private constructor(namespace: TestNamespace, image: string, objects: readonly KubeObjectLike[]) {
    this.#namespace = namespace;
    this.#image = image;
    this.#objects = objects;
  }

  /**
   * @param pods how many pods have quota
   * @param image of the pods of jobs; it must have `sleep`
   */
  static async create(namespace: TestNamespace, pods: number, image: string): Promise<KueueQueues> {
    const { name } = namespace;
    const queues = ["spark", "batch"].flatMap((queue) => [
      {
        ...{ apiVersion: API_VERSION, kind: "ClusterQueue" },
        metadata: { name: `${name}-${queue}` },
        spec: {
          ...{ namespaceSelector: {}, cohortName: name },
          preemption: { reclaimWithinCohort: "Any", withinClusterQueue: "LowerPriority" },
          resourceGroups: [groupOf(name, queue === "spark" ? pods : 0)],
        },
      },
      {
        ...{ apiVersion: API_VERSION, kind: "LocalQueue" },
        metadata: { name: queue, namespace: name },
        spec: { clusterQueue: `${name}-${queue}` },
      },
    ]);
    const objects = [
      { apiVersion: API_VERSION, kind: "ResourceFlavor", metadata: { name }, spec: {} },
      { apiVersion: API_VERSION, kind: "WorkloadPriorityClass", metadata: { name }, value: 1000 },
      ...queues,
    ];
    for (const object of objects) {
      const type = await namespace.client.resourceFor(object.apiVersion, object.kind);
      await namespace.client.create(type, object);
    }
    return new KueueQueues(namespace, image, objects);
  }

  /** Creates a Job that runs until it is deleted; an urgent one goes before applications. */
  async createJob(name: string, queue: "spark" | "batch", pods: number, isUrgent = false): Promise<void> {
    const { client } = this.#namespace;
    const urgent = isUrgent ? { "kueue.x-k8s.io/priority-class": this.#namespace.name } : {};
    const requests = { cpu: String(POD_CPU), memory: "16Mi" };
    const container = { name: "sleep", image: this.#image, command: ["sleep", "3600"], resources: { requests } };
    await client.create(await client.resourceFor("batch/v1", "Job"), {
      metadata: { name, labels: { "kueue.x-k8s.io/queue-name": queue, ...urgent } },
      spec: {
        ...{ parallelism: pods, completions: pods, suspend: true },
        template: {
          metadata: { labels: { [JOBS_LABEL]: name } },
          spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 0, containers: [container] },
        },
      },
    } as KubeObjectLike);
  }

  /** How many pods of a Job run. */
  async runningOf(job: string): Promise<number> {
    const { client } = this.#namespace;
    const { items } = await client.listAll(resources.pods, {
      labelSelector: `${JOBS_LABEL}=${job}`,
      fieldSelector: "status.phase=Running",
    });
    return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined).length;
  }

  async deleteJob(name: string): Promise<void> {
    const { client } = this.#namespace;
    await client.delete(await client.resourceFor("batch/v1", "Job"), name, { propagationPolicy: "Background" });
  }

  async remove(): Promise<void> {
    await this.#namespace.delete(this.#objects);
  }
}

function groupOf(flavor: string, pods: number): object {
  const amounts = [
    { name: "cpu", nominalQuota: `${Math.round(pods * POD_CPU * 1000)}m` },
    { name: "memory", nominalQuota: pods === 0 ? "0" : "1Ti" },
  ];
  return { coveredResources: ["cpu", "memory"], flavors: [{ name: flavor, resources: amounts }] };
}
