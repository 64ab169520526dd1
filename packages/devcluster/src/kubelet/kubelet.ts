import type { Api } from "@kindling/api-server";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { EventRecorder } from "../controllers/event-recorder.ts";
import { follow } from "../controllers/follow.ts";
import { SystemWriter } from "../controllers/system-writer.ts";
import type { ConfigMap, Node, PersistentVolume, PersistentVolumeClaim, Secret, Service } from "../objects/core.ts";
import { type Container, type Pod, isFinished } from "../objects/pod.ts";
import type { Variable } from "../objects/variable.ts";
import type { LogLine, LogQuery, PodLogs } from "../runtime/logs.ts";
import type { PodSources, Runtime } from "../runtime/runtime.ts";
import { PodWorker, type WorkerHost } from "./pod-worker.ts";
import { serviceVariables } from "./service-variables.ts";

export interface KubeletOptions {
  readonly api: Api;
  readonly events: EventRecorder;
  readonly tokens: ServiceAccountTokens;
  readonly runtime: Runtime;
}

/** Runs the pods of all nodes of the cluster: one kubelet for all nodes, because all are in this process. */
export class Kubelet implements PodLogs {
  readonly #options: KubeletOptions;
  readonly #writer: SystemWriter;
  readonly #workers = new Map<string, { node: string; worker: PodWorker }>();
  readonly #nodes = new Map<string, { host: WorkerHost; lost: boolean }>();
  #stop: () => void = () => undefined;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.#writer = new SystemWriter(options.api, "kubelet");
  }

  /** Takes charge of a node. */
  addNode(name: string, ip: string): void {
    this.#nodes.set(name, { host: this.#host(name, ip), lost: false });
  }

  start(): void {
    const pods = this.#options.api.store.collection("pods");
    this.#stop = follow(pods, ({ type, object }) => {
      const pod = object.object as Pod;
      if (type === "DELETED") this.#forget(pod);
      else this.#observe(pod);
    });
    for (const { object } of pods.list()) this.#observe(object as Pod);
  }

  stop(): void {
    this.#stop();
    for (const { worker } of this.#workers.values()) worker.vanish();
    this.#workers.clear();
  }

  /** Disconnects a node: it reports nothing to the API any more, but its containers go on. */
  loseNode(name: string): void {
    this.#setLost(name, true);
  }

  /** Reconnects a lost node. */
  recoverNode(name: string): void {
    this.#setLost(name, false);
    for (const { object } of this.#options.api.store.collection("pods").list()) this.#observe(object as Pod);
  }

  /** Ends a pod as a node does when it runs out of a resource; false if the pod does not run here. */
  failPod(uid: string, reason: string, message: string): boolean {
    const entry = this.#workers.get(uid);
    entry?.worker.fail(reason, message);
    return entry !== undefined;
  }

  read(pod: { uid: string }, container: string, query: LogQuery): AsyncIterable<LogLine> | undefined {
    return this.#workers.get(pod.uid)?.worker.readLog(container, query);
  }

  #setLost(name: string, lost: boolean): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    node.lost = lost;
    for (const entry of this.#workers.values()) if (entry.node === name) entry.worker.silent = lost;
  }

  #observe(pod: Pod): void {
    const nodeName = pod.spec.nodeName ?? "";
    const node = this.#nodes.get(nodeName);
    if (node === undefined || node.lost) return;
    const known = this.#workers.get(pod.metadata.uid);
    if (known !== undefined) {
      known.worker.update(pod);
      return;
    }
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#remove(pod);
      return;
    }
    if (isFinished(pod)) return;
    const worker = new PodWorker(node.host, pod);
    this.#workers.set(pod.metadata.uid, { node: nodeName, worker });
    worker.start();
  }

  #forget({ metadata }: Pod): void {
    const known = this.#workers.get(metadata.uid);
    this.#workers.delete(metadata.uid);
    known?.worker.vanish();
  }

  #remove({ metadata }: Pod): void {
    const type = this.#options.api.types.builtIn("pods");
    this.#writer.delete(type, metadata, { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
  }

  #host(nodeName: string, hostIp: string): WorkerHost {
    const { api, events, runtime } = this.#options;
    const pods = api.types.builtIn("pods");
    const source = { component: "kubelet", host: nodeName };
    return {
      clock: api.clock,
      runtime,
      hostIp,
      nodeAllocatable: () => {
        const node = api.store.collection("nodes").get(undefined, nodeName)?.object as Node | undefined;
        return node?.status.allocatable ?? {};
      },
      sources: (pod) => this.#sources(pod),
      serviceVariables: (pod) => this.#serviceVariables(pod),
      report: (pod, change) => {
        const { name, namespace, uid } = pod.metadata;
        const current = api.store.collection("pods").get(namespace, name)?.object;
        if (current?.metadata.uid !== uid) return;
        this.#writer.updateStatus<Pod>(pods, { name, namespace }, change);
      },
      event: (pod, type, reason, message, container) => {
        const path = container === undefined ? {} : { fieldPath: fieldPath(pod, container) };
        events.record({ about: pod, type, reason, message, source, ...path });
      },
      remove: (pod) => this.#remove(pod),
    };
  }

  #serviceVariables(pod: Pod): Variable[] {
    const services = this.#options.api.store.collection("services");
    const own = pod.spec.enableServiceLinks === false ? [] : [...services.list(pod.metadata.namespace)];
    const api = services.get("default", "kubernetes");
    const all = api === undefined ? own : [api, ...own.filter((stored) => stored !== api)];
    return serviceVariables(all.map(({ object }) => object as Service));
  }

  #sources({ metadata, spec }: Pod): PodSources {
    const { api, tokens } = this.#options;
    const namespace = metadata.namespace ?? "";
    const get = (resource: string, name: string): unknown =>
      api.store.collection(resource).get(namespace, name)?.object;
    return {
      configMap: (name) => get("configmaps", name) as ConfigMap | undefined,
      secret: (name) => get("secrets", name) as Secret | undefined,
      claim: (name) => {
        const claim = get("persistentvolumeclaims", name) as PersistentVolumeClaim | undefined;
        if (claim === undefined) return undefined;
        const volume = api.store.collection("persistentvolumes").get(undefined, claim.spec.volumeName ?? "");
        return { claim, volume: volume?.object as PersistentVolume | undefined };
      },
      token: (audience, expirationSeconds) => {
        const account = api.store
          .collection("serviceaccounts")
          .get(namespace, spec.serviceAccountName ?? "default")?.object;
        if (account === undefined) throw new Error(`service account ${spec.serviceAccountName ?? "default"} is gone`);
        const bound = { kind: "Pod" as const, name: metadata.name, uid: metadata.uid };
        return tokens.issue({ account, audiences: audience === undefined ? [] : [audience], expirationSeconds, bound });
      },
    };
  }
}

function fieldPath({ spec }: Pod, { name }: Container): string {
  const init = spec.initContainers?.some((one) => one.name === name) === true;
  return `spec.${init ? "initContainers" : "containers"}{${name}}`;
}
