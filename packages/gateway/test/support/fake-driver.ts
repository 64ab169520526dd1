import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import { type Answer, ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import { type EventStream, openWatch } from "@kindling/test-kit/event-stream";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import type { PersistentVolumeClaim, Pod, PodSpec } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";

export interface DriverOptions {
  readonly app?: string;
  readonly namespace?: string;
  readonly account?: string;
  readonly spec?: Partial<PodSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether it is created with the gateway's gate; then it is not waited for. */
  readonly isGated?: boolean;
}

/** The kinds of sets of executors, with their paths. */
export const SET_KINDS = [
  ["StatefulSet", "statefulsets"],
  ["Deployment", "deployments"],
] as const;

export interface AskedSet {
  readonly replicas?: number;
  /** The labels of its selector; default: the labels of its pods. */
  readonly selected?: Readonly<Record<string, string>>;
  /** Changes of its pods. */
  readonly changes?: Partial<Pod>;
  /** The uid of its owner; default: the driver. */
  readonly owner?: string;
}

/** A driver that sends the same HTTP requests as Spark's client. */
export class FakeDriver {
  readonly pod: Pod;
  readonly app: string;
  readonly namespace: string;
  readonly token: string;
  readonly #cluster: TestCluster;

  private constructor(cluster: TestCluster, pod: Pod, app: string, token: string) {
    this.#cluster = cluster;
    this.pod = pod;
    this.app = app;
    this.namespace = pod.metadata?.namespace ?? "";
    this.token = token;
  }

  /** Runs a driver pod, with a token that is bound to it. */
  static async run(cluster: TestCluster, name: string, options: DriverOptions = {}): Promise<FakeDriver> {
    const { app = `spark-${name}`, namespace = "spark-jobs", account = "spark", isGated = false } = options;
    const { spec = {}, labels = {}, annotations = {} } = options;
    const wanted = aPod(name)
      .in(namespace)
      .driver(app)
      .labels(labels)
      .annotations(annotations)
      .gated(...(isGated ? ["scheduler.kindling/admission"] : []))
      .spec({ restartPolicy: "Never", serviceAccountName: account, ...spec })
      .build();
    const pod = isGated
      ? ((await cluster.send("POST", `/api/v1/namespaces/${namespace}/pods`, wanted)) as Pod)
      : await cluster.createPod(wanted);
    return await FakeDriver.of(cluster, pod, app);
  }

  /** The driver of an existing pod. */
  static async of(cluster: TestCluster, pod: Pod, app: string): Promise<FakeDriver> {
    return new FakeDriver(cluster, pod, app, await boundToken(cluster, pod));
  }

  get uid(): string {
    return this.pod.metadata?.uid ?? "";
  }

  /** The path of a resource in its namespace. */
  path(resource: string, name?: string): string {
    return `/api/v1/namespaces/${this.namespace}/${resource}${name === undefined ? "" : `/${name}`}`;
  }

  /** Its client of a gateway, optionally with another token or without one. */
  at(gateway: { readonly uri: string }, token: string | null = this.token): ApiClient {
    const client = new ApiClient({ url: new URL(gateway.uri), token: token ?? undefined });
    onTestFinished(() => client.close());
    return client;
  }

  /** Spark's selector of executors. */
  get executorSelector(): string {
    return encodeURIComponent(`spark-app-selector=${this.app},spark-role=executor`);
  }

  executor(id: number, changes: { readonly name?: string; readonly spec?: Partial<PodSpec> } = {}): Pod {
    const { name, spec = {} } = changes;
    return this.anExecutor(id, name).spec(spec).build();
  }

  anExecutor(id: number, name: string = `${this.pod.metadata?.name}-exec-${id}`): PodBuilder {
    return aPod(name)
      .executor(id, this.app)
      .labels({ "spark-exec-resourceprofile-id": "0" })
      .ownedBy(this.pod)
      .spec({ restartPolicy: "Never", serviceAccountName: "spark" });
  }

  /** Spark's name for the set of its default resource profile. */
  setName(kind: string): string {
    return `spark-${kind === "StatefulSet" ? "s" : "d"}-${this.app}-0`;
  }

  /** A set, as Spark's allocators ask for it: its executors have no ids yet. */
  setOf(kind: string, { replicas = 2, selected, changes, owner = this.uid }: AskedSet = {}): object {
    const { metadata, spec } = { ...this.executor(0), ...changes };
    const labels = { ...metadata?.labels, "spark-exec-id": "EXECID" };
    const { "spark-exec-id": _id, ...matchLabels } = labels;
    const ownerReferences = [
      { apiVersion: "v1", kind: "Pod", name: this.pod.metadata?.name ?? "", uid: owner, controller: true },
    ];
    return {
      apiVersion: "apps/v1",
      kind,
      metadata: { name: this.setName(kind), ownerReferences },
      spec: {
        replicas,
        selector: { matchLabels: selected ?? matchLabels },
        template: { metadata: { labels, ownerReferences }, spec: { ...spec, restartPolicy: "Always" } },
      },
    };
  }

  claim(name: string, owner: Pod): PersistentVolumeClaim {
    const { name: ownerName = "", uid = "" } = owner.metadata ?? {};
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name,
        labels: { "spark-app-selector": this.app },
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: ownerName, uid }],
      },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    };
  }

  /** Watches its executors, as Spark does; over a WebSocket, or as a plain stream. */
  async watch(client: ApiClient, how: "web-socket" | "stream", version?: string): Promise<EventStream> {
    const from = version === undefined ? "" : `&resourceVersion=${version}`;
    const path = `${this.path("pods")}?labelSelector=${this.executorSelector}&allowWatchBookmarks=true&watch=true${from}`;
    const stream = how === "stream" ? await openWatch(client, path) : await overWebSocket(client, path);
    onTestFinished(() => stream.close());
    return stream;
  }

  /** The pod in the cluster, as soon as it exists. */
  async made(name: string): Promise<Pod> {
    return await eventually(async () => (await this.#cluster.send("GET", this.path("pods", name))) as Pod);
  }

  /** The names of its pods that the cluster has. */
  async executorsInCluster(): Promise<string[]> {
    const pods = await this.#cluster.objects<Pod>("Pod");
    const own = pods.filter(({ metadata }) => metadata?.ownerReferences?.some(({ uid }) => uid === this.uid) === true);
    return own.map(({ metadata }) => metadata?.name ?? "");
  }
}

/** A token that is bound to a pod, as the kubelet projects them. */
export async function boundToken(cluster: TestCluster, pod: Pod, audience = "kindling-gateway"): Promise<string> {
  const { name, namespace, uid } = pod.metadata ?? {};
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${pod.spec?.serviceAccountName}/token`;
  const answer = await cluster.send("POST", path, {
    spec: {
      audiences: [audience],
      expirationSeconds: 3600,
      boundObjectRef: { kind: "Pod", name, uid, apiVersion: "v1" },
    },
  });
  return (answer as { readonly status: { readonly token: string } }).status.token;
}

async function overWebSocket(client: ApiClient, path: string): Promise<EventStream> {
  const upgrade = await openWebSocket(client, path);
  if (upgrade.kind === "open") return upgrade.events;
  throw new Error(`the upgrade was answered with ${upgrade.status}`);
}

/** The pods, or other objects, of a list. */
export function items({ body }: Answer): Pod[] {
  const list: { readonly items?: unknown } = body;
  return (list.items ?? []) as Pod[];
}

/** The names in a list. */
export function names(answer: Answer): string[] {
  return items(answer).map(({ metadata }) => metadata?.name ?? "");
}
