import type { KubeObject } from "@kindling/kube-objects";
import type { ConfigMap, PersistentVolumeClaim, PersistentVolume, Secret } from "../objects/core.ts";
import type { Container, Pod, Probe } from "../objects/pod.ts";
import type { LogLine, LogQuery } from "./logs.ts";

/** The capacity of a runtime's node, in Kubernetes quantities. */
export interface NodeCapacity {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
  readonly ephemeralStorage: string;
}

/** Runs the containers of pods. The kubelet decides what has to run and reports it to the API; a runtime carries it out. */
export interface Runtime {
  /** Shown in the node's info as `<name>://<version>`, and in container ids. */
  readonly name: string;
  readonly version: string;
  readonly capacity: NodeCapacity;
  /** The folder with the content of provisioned volumes, if the runtime has one. Read after `open`. */
  readonly volumeFolder?: string | undefined;
  /**
   * Implement if something must be ready before the cluster, or if pods have a network of their own. Called once, before
   * everything else.
   *
   * @throws KindlingError if this machine cannot run pods in this way; then the cluster does not start.
   */
  open?(): Promise<ServiceNetwork>;
  /** Implement to read the cluster's objects. Called once, before the first pod. */
  attach?(cluster: ClusterView): void;
  /**
   * Prepares what the containers of a pod share: its address, its volumes.
   *
   * @throws PodStartError, which becomes an event of the pod; the kubelet tries again.
   */
  startSandbox(request: SandboxRequest): Promise<Sandbox>;
  /** Ends everything that is left. */
  close(): Promise<void>;
}

/** How pods reach services, nodes and the API server. */
export interface ServiceNetwork {
  /** The first two numbers of the services' addresses. */
  readonly prefix: string;
  /** Whether services can have ports below 1024; if not, the service `kubernetes` has the API server's own port. */
  readonly lowPorts: boolean;
  /** The address of all nodes. Undefined: each node has its own address, which cannot be reached. */
  readonly nodeAddress: string | undefined;
}

/** The cluster's objects, for reading and following. Resources have the API's names, such as `services`. */
export interface ClusterView {
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  list(resource: string): Iterable<KubeObject>;
  /** Calls the listener after each write, with the object in its current or last state. Returns a function that stops this. */
  follow(listener: (resource: string, object: KubeObject) => void): () => void;
}

export interface SandboxRequest {
  readonly pod: Pod;
  readonly sources: PodSources;
  /** Aborted if the pod is deleted before its sandbox is ready. */
  readonly signal: AbortSignal;
  /** Fails the pod as a whole, as the node does when a pod uses more than its limit. */
  readonly fail: (reason: string, message: string) => void;
}

/** The sources of a pod's volumes and variables, read on demand. */
export interface PodSources {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  claim(name: string): { claim: PersistentVolumeClaim; volume: PersistentVolume | undefined } | undefined;
  /** A token of the pod's service account, bound to the pod. */
  token(audience: string | undefined, expirationSeconds: number): { token: string; expires: number };
}

/** The place in which a pod's containers run, one after another or together. */
export interface Sandbox {
  /** The pod's address. */
  readonly ip: string;
  /** @throws ImagePullError */
  pullImage(container: Container): Promise<PulledImage>;
  /** @throws ContainerStartError */
  start(request: ContainerRequest): Promise<RunningContainer>;
  /** The lines of a container's log, of the run with the given number; undefined if there is none. */
  readLog(container: string, attempt: number, query: LogQuery): AsyncIterable<LogLine> | undefined;
  /** Implement if the runtime can probe containers; otherwise their own signal says when they are ready. */
  probe?(container: string, probe: Probe): Promise<boolean>;
  /** Ends everything that still runs. Logs can still be read. */
  stop(): Promise<void>;
  /** Frees all resources; the pod is gone. */
  remove(): Promise<void>;
}

export interface PulledImage {
  readonly imageId: string;
  /** The runtime's name for the image. */
  readonly name: string;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether it was already there. */
  readonly present: boolean;
}

export interface ContainerRequest {
  readonly container: Container;
  readonly image: PulledImage;
  /** Counts the runs of this container, from 0. */
  readonly attempt: number;
  readonly environment: readonly { readonly name: string; readonly value: string }[];
}

export interface RunningContainer {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Fulfilled when the container can accept requests, if it has no probe. */
  readonly ready: Promise<void>;
  /** Fulfilled when the container has ended; never rejected. */
  readonly exited: Promise<ContainerExit>;
  /** Asks the container to end, and ends it by force after this many milliseconds. */
  stop(graceMilliseconds: number): void;
}

export interface ContainerExit {
  readonly exitCode: number;
  readonly signal?: number;
  /** For example `OOMKilled`. Default: `Completed` or `Error`, by the exit code. */
  readonly reason?: string;
  /** The container's termination message. */
  readonly message?: string;
  readonly finishedAt: number;
}

/** The preparation of a pod's sandbox failed. */
export class PodStartError extends Error {
  /** The reason of the event, such as `FailedMount`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "PodStartError";
    this.reason = reason;
  }
}

/** An image could not be pulled. */
export class ImagePullError extends Error {
  /** The reason of the waiting state: `ErrImagePull`, `InvalidImageName`, `ErrImageNeverPull`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "ImagePullError";
    this.reason = reason;
  }
}

/** A container could not be started; it counts as a run that failed. */
export class ContainerStartError extends Error {
  readonly reason: string;
  readonly exitCode: number;

  constructor(reason: string, message: string, exitCode: number = 128) {
    super(message);
    this.name = "ContainerStartError";
    this.reason = reason;
    this.exitCode = exitCode;
  }
}
