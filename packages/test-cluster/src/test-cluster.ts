import type { ServerOptions } from "node:https";
import { type ContainerScript, DevCluster, type NodeOptions } from "@kindling/devcluster";
import { type Clock, systemClock, systemRandom } from "@kindling/outside";
import { ApiRecorder } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import { HeldRuntime } from "./held-runtime.ts";
import { type CustomResourceDefinition, definitionOf } from "./custom-resource-definition.ts";

export interface TestClusterOptions {
  /** With it, clients use TLS to the recorder. */
  readonly tls?: ServerOptions;
  /** The administrator's token. Clients without credentials are administrators as well. */
  readonly token?: string;
  /** Whether roles and bindings decide what users may do. Default: every user may do everything. */
  readonly authorization?: "none" | "rbac";
  /** Whether Volcano's pod groups exist. */
  readonly podGroups?: boolean;
  /** Definitions of further custom resources. */
  readonly definitions?: readonly CustomResourceDefinition[];
  readonly clock?: Clock;
  /** The address of all pods, such as that of a server that the test has started. Default: none that can be reached. */
  readonly podAddress?: string;
  /** Default: a node with room for everything that tests create. */
  readonly nodes?: readonly NodeOptions[];
}

/** The namespaces of a cluster for tests, besides `default`. */
const NAMESPACES = ["spark-jobs", "elsewhere"] as const;

const POD_GROUP_DEFINITION = definitionOf({
  ...{ group: "scheduling.volcano.sh", version: "v1beta1", scope: "Namespaced" },
  ...{ plural: "podgroups", kind: "PodGroup" },
});

/** The objects that they contain from the beginning. */
const FROM_THE_START = new Set(["kube-root-ca.crt", "kubernetes"]);

/** The service accounts of each of them, besides `default`. */
const ACCOUNTS = ["spark", "kindling-submitter"] as const;

/** The kinds that submissions create, with the paths of their types. */
const PATHS = {
  ConfigMap: "/api/v1/configmaps",
  NetworkPolicy: "/apis/networking.k8s.io/v1/networkpolicies",
  PersistentVolumeClaim: "/api/v1/persistentvolumeclaims",
  Pod: "/api/v1/pods",
  PodGroup: "/apis/scheduling.volcano.sh/v1beta1/podgroups",
  Secret: "/api/v1/secrets",
  Service: "/api/v1/services",
} as const;

export type Kind = keyof typeof PATHS;

const KINDS = Object.keys(PATHS) as Kind[];

/** An existing object of some kind. */
interface Listed {
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** Real time, but waits are shorter: a kubelet looks for a ConfigMap again after a second. */
const IMPATIENT_CLOCK: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  after: (milliseconds, callback) => systemClock.after(milliseconds / 20, callback),
};

/**
 * An embedded cluster with the namespaces `spark-jobs` and `elsewhere`, and a recorder between its API server and the tested
 * clients. Pods run as {@link script} says; requests of the test itself go around the recorder.
 */
export class TestCluster {
  /** The requests of clients, and the faults for them. */
  readonly api: ApiRecorder;
  readonly devCluster: DevCluster;
  /** What the containers of pods do. Default: they run until they are told to end. */
  script: (pod: Pod) => Partial<ContainerScript> = () => ({});
  readonly #runtime: HeldRuntime;

  private constructor(api: ApiRecorder, devCluster: DevCluster, runtime: HeldRuntime) {
    this.api = api;
    this.devCluster = devCluster;
    this.#runtime = runtime;
  }

  /** Starts a cluster, which is stopped when the test ends. */
  static async start(options: TestClusterOptions = {}): Promise<TestCluster> {
    const {
      tls,
      token,
      authorization = "none",
      podGroups = false,
      clock = IMPATIENT_CLOCK,
      nodes,
      podAddress,
    } = options;
    const definitions = [...(podGroups ? [POD_GROUP_DEFINITION] : []), ...(options.definitions ?? [])];
    const script = (pod: object): Partial<ContainerScript> => cluster.script(pod);
    const runtime = new HeldRuntime({
      ...{ clock, random: systemRandom(), script },
      ...(podAddress !== undefined && { address: podAddress }),
    });
    const devCluster = await DevCluster.start({
      ...{ runtime, clock, authorization },
      ...(token !== undefined && { token }),
      ...(nodes !== undefined && { nodes }),
    });
    onTestFinished(() => devCluster.stop());
    const cluster = new TestCluster(await ApiRecorder.start(devCluster.url, tls), devCluster, runtime);
    for (const name of NAMESPACES) {
      await cluster.send("POST", "/api/v1/namespaces", { metadata: { name } });
      for (const account of ACCOUNTS) {
        await cluster.send("POST", `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: account } });
      }
    }
    for (const definition of definitions) {
      await cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
      await eventually(() => cluster.send("GET", pathOfDefined(definition)));
    }
    return cluster;
  }

  /** The address for clients. */
  get url(): string {
    return this.api.url;
  }

  /**
   * Sends a request around the recorder to the API server, as the administrator. A patch is a merge patch.
   *
   * @throws Error if it is refused
   */
  async send(method: string, path: string, body?: object): Promise<unknown> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await fetch(new URL(path, this.devCluster.url), {
      method,
      headers: { "content-type": type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** No container starts before {@link release}: pods stay pending. */
  hold(): void {
    this.#runtime.hold();
  }

  release(): void {
    this.#runtime.release();
  }

  /** Starts a pod's containers as soon as the pod is watched, and then ends them with this code. */
  runWhenWatched(exitCode: number, log: readonly string[] = []): void {
    this.hold();
    this.script = () => ({ log });
    this.api.onAnswer = ({ path, query }) => {
      const name = /metadata\.name=([^,]+)/.exec(query.get("fieldSelector") ?? "")?.[1];
      if (query.get("watch") !== "true" || name === undefined) return;
      this.release();
      const pod: Pod = { metadata: { name, namespace: path.split("/").at(-2) ?? "" } };
      // A pod that is gone, or has ended, needs nothing more.
      this.inPhase(pod, "Running").then(
        () => this.end(pod, exitCode),
        () => undefined,
      );
    };
  }

  /** All objects of a kind, except those that a cluster has from the beginning. */
  async objects<T = Listed>(kind: Kind): Promise<T[]> {
    const answer = await fetch(new URL(PATHS[kind], this.devCluster.url));
    if (answer.status === 404) return [];
    const { items } = (await answer.json()) as { items: Listed[] };
    const isOurs = ({ metadata }: Listed): boolean =>
      !metadata.namespace.startsWith("kube-") && !FROM_THE_START.has(metadata.name);
    return items.filter(isOurs).map((item) => ({ kind, ...item })) as T[];
  }

  /** All objects that submissions create, as `Kind/name`. */
  async contents(): Promise<string[]> {
    const lists = await Promise.all(
      KINDS.map(async (kind) => (await this.objects(kind)).map(({ metadata }) => `${kind}/${metadata.name}`)),
    );
    return lists.flat().sort();
  }

  /** Creates a pod, and waits until it has this phase. */
  async createPod(pod: Pod, phase: "Pending" | "Running" | "Succeeded" | "Failed" = "Running"): Promise<Pod> {
    await this.send("POST", `/api/v1/namespaces/${nameOf(pod).namespace}/pods`, pod);
    return await this.inPhase(pod, phase);
  }

  /** Waits until a pod has this phase. */
  async inPhase(pod: Pod, phase: string, patience: { readonly timeout?: number } = {}): Promise<Pod> {
    return await eventually(async () => {
      const now = (await this.send("GET", pathOf(pod))) as Pod;
      if (now.status?.phase !== phase) throw new Error(`the pod is ${now.status?.phase}, not ${phase}`);
      return now;
    }, patience);
  }

  /** The one existing pod, as soon as it exists. */
  async driver(): Promise<Pod> {
    return await eventually(async () => {
      const [pod] = await this.objects<Pod>("Pod");
      if (pod === undefined) throw new Error("there is no pod");
      return pod;
    });
  }

  /** Ends all containers of a running pod, or one of them. */
  end(pod: Pod, exitCode: number, reason: string = exitCode === 0 ? "Completed" : "Error", container?: string): void {
    this.devCluster.podFaults.exit(nameOf(pod), { exitCode, reason }, container);
  }

  /** Starts the deletion of a pod; its containers take their time. */
  async startToDelete(pod: Pod): Promise<void> {
    await this.send("DELETE", pathOf(pod));
  }

  /** Deletes a pod, and waits until it is gone; at once, if its containers have no grace period. */
  async delete(pod: Pod, { gracePeriodSeconds }: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    await this.send("DELETE", pathOf(pod), { gracePeriodSeconds });
    await eventually(async () => {
      const answer = await fetch(new URL(pathOf(pod), this.devCluster.url));
      const { metadata } = (await answer.json()) as Pod;
      if (answer.status !== 404 && metadata?.uid === pod.metadata?.uid) throw new Error("the pod is there yet");
    });
  }

  /** Writes lines into the log of a started container. Default: the first one. */
  writeLog(pod: Pod, lines: readonly string[], container: string = pod.spec?.containers[0]?.name ?? ""): void {
    this.#runtime.writeLog(pod.metadata?.uid ?? "", container, lines);
  }
}

function pathOfDefined({ spec: { group, names, versions } }: CustomResourceDefinition): string {
  return `/apis/${group}/${versions[0]?.name ?? ""}/${names.plural}`;
}

function nameOf({ metadata: { namespace = "", name = "" } = {} }: Pod): { namespace: string; name: string } {
  return { namespace, name };
}

function pathOf(pod: Pod): string {
  const { namespace, name } = nameOf(pod);
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}
