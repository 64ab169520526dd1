import type { KubeObject } from "@kindling/kube-objects";
import type { ConfigMap, PersistentVolumeClaim, PersistentVolume, Secret } from "../objects/core.ts";
import type { Container, Pod, Probe } from "../objects/pod.ts";
import type { LogLine, LogQuery } from "./logs.ts";

/** What a node of a runtime can hold, in Kubernetes quantities. */
export interface NodeCapacity {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
  readonly ephemeralStorage: string;
}

/**
 * What runs the containers of pods. The kubelet decides what shall run and says so to the API; a runtime makes it so.
 */
export interface Runtime {
  /** Shown in the node's info as `<name>://<version>`, and in container ids. */
  readonly name: string;
  readonly version: string;
  readonly capacity: NodeCapacity;
  /** Where the content of provisioned volumes lies, if the runtime has a place for it. Read after `open`. */
  readonly volumeFolder?: string | undefined;
  /**
   * Implement when something must be ready before the cluster is, or when pods have a network of their own. Called
   * once, first of all.
   *
   * @throws KindlingError when this machine cannot run pods so; the cluster does not start then.
   */
  open?(): Promise<ServiceNetwork>;
  /** Implement to look at the cluster's objects. Called once, before the first pod. */
  attach?(cluster: ClusterView): void;
  /**
   * Makes ready what the containers of a pod share: its address, its volumes.
   *
   * @throws PodStartError, which becomes an event of the pod; the kubelet tries again.
   */
  startSandbox(request: SandboxRequest): Promise<Sandbox>;
  /** Ends all that is left. */
  close(): Promise<void>;
}

/** How pods reach services, nodes and the API server. */
export interface ServiceNetwork {
  /** The first two numbers of the services' addresses. */
  readonly prefix: string;
  /** Whether services can have ports below 1024; if not, the service `kubernetes` has the API server's own port. */
  readonly lowPorts: boolean;
  /** The address of all nodes; undefined: each has one of its own that leads nowhere. */
  readonly nodeAddress: string | undefined;
}

/** The cluster's objects, to look at and to follow. Resources are named as in the API, such as `services`. */
export interface ClusterView {
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  list(resource: string): Iterable<KubeObject>;
  /** Calls the listener after each write, with the object as it is now, or last was. Returns the way to stop that. */
  follow(listener: (resource: string, object: KubeObject) => void): () => void;
}

export interface SandboxRequest {
  readonly pod: Pod;
  readonly sources: PodSources;
  /** Aborted when the pod is gone before its sandbox is ready. */
  readonly signal: AbortSignal;
  /** Fails the pod as a whole, as the node does when a pod uses more than it may. */
  readonly fail: (reason: string, message: string) => void;
}

/** What a pod's volumes and variables are filled from, read when asked for. */
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
  /** Implement when the runtime can tell how a container is; without it containers are ready when they say so. */
  probe?(container: string, probe: Probe): Promise<boolean>;
  /** Ends what still runs. Logs can still be read. */
  stop(): Promise<void>;
  /** Frees what was made; the pod is gone. */
  remove(): Promise<void>;
}

export interface PulledImage {
  readonly imageId: string;
  /** The image as the runtime calls it. */
  readonly name: string;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether it was there already. */
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
  /** Fulfilled when the container could take requests, if nothing probes it. */
  readonly ready: Promise<void>;
  /** Fulfilled when the container has ended; never rejected. */
  readonly exited: Promise<ContainerExit>;
  /** Asks the container to end, and makes it end after so many milliseconds. */
  stop(graceMilliseconds: number): void;
}

export interface ContainerExit {
  readonly exitCode: number;
  readonly signal?: number;
  /** `OOMKilled`, say; without it `Completed` or `Error` by the exit code. */
  readonly reason?: string;
  /** What the container left as its termination message. */
  readonly message?: string;
  readonly finishedAt: number;
}

/** A pod's sandbox could not be made ready. */
export class PodStartError extends Error {
  /** The reason of the event, such as `FailedMount`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "PodStartError";
    this.reason = reason;
  }
}

/** An image could not be had. */
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
