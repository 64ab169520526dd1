import type { Container, ContainerState, Pod, PodSpec, PodStatus } from "kubernetes-types/core/v1.js";
import type { ObjectMeta, OwnerReference } from "kubernetes-types/meta/v1.js";

/** A pod as a client requests it. */
export interface BuiltPod extends Pod {
  apiVersion: "v1";
  kind: "Pod";
  metadata: ObjectMeta & { name: string };
  spec: PodSpec;
}

/** A pod as an API server returns it. */
export interface StoredPod extends BuiltPod {
  metadata: ObjectMeta & { name: string; uid: string; resourceVersion: string; creationTimestamp: string };
}

/** The fields of a pod that are set so far. Its containers are put together when it is built. */
interface Said {
  readonly metadata: BuiltPod["metadata"];
  readonly containers: readonly Container[];
  readonly requests: Readonly<Record<string, string>>;
  readonly spec: Partial<PodSpec>;
  readonly phase?: Pick<PodStatus, "phase"> & { readonly state: ContainerState };
  readonly status?: PodStatus;
}

/** An object that owns a pod. Default: a pod. */
interface Owner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

const IMAGE = "spark";
const CREATED = "2026-01-01T00:00:00Z";

/** A pod with a name. It has one container unless containers are named. Each method returns a new builder. */
export function aPod(name: string): PodBuilder {
  return new PodBuilder({ metadata: { name }, containers: [], requests: {}, spec: {} });
}

/** Builds a pod. */
export class PodBuilder {
  readonly #said: Said;

  constructor(said: Said) {
    this.#said = said;
  }

  in(namespace: string): PodBuilder {
    return this.#with({ metadata: { ...this.#said.metadata, namespace } });
  }

  uid(uid: string): PodBuilder {
    return this.#with({ metadata: { ...this.#said.metadata, uid } });
  }

  labels(labels: Readonly<Record<string, string>>): PodBuilder {
    const { metadata } = this.#said;
    return this.#with({ metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } });
  }

  annotations(annotations: Readonly<Record<string, string>>): PodBuilder {
    const { metadata } = this.#said;
    return this.#with({ metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } });
  }

  finalizers(...finalizers: string[]): PodBuilder {
    return this.#with({ metadata: { ...this.#said.metadata, finalizers } });
  }

  /** Controlled by another object, as executors are by their driver. */
  ownedBy(owner: Owner | PodBuilder): PodBuilder {
    const { apiVersion = "v1", kind = "Pod", metadata } = owner instanceof PodBuilder ? owner.stored() : owner;
    const { name = "", uid = "" } = metadata ?? {};
    const reference: OwnerReference = { apiVersion, kind, name, uid, controller: true };
    return this.#with({ metadata: { ...this.#said.metadata, ownerReferences: [reference] } });
  }

  deleting(at: string = CREATED): PodBuilder {
    return this.#with({ metadata: { ...this.#said.metadata, deletionTimestamp: at } });
  }

  /** With the labels and the container that Spark gives to the driver of an application. */
  driver(app: string = `spark-${this.#said.metadata.name}`): PodBuilder {
    const labels = { "spark-role": "driver", "spark-app-selector": app };
    return this.labels(labels).container("spark-kubernetes-driver");
  }

  /** With the labels and the container that Spark gives to an executor of an application. */
  executor(id: number, app: string): PodBuilder {
    const labels = { "spark-role": "executor", "spark-app-selector": app, "spark-exec-id": String(id) };
    return this.labels(labels).container("spark-kubernetes-executor");
  }

  /** With another container, after those that were named before. */
  container(name: string, more: Partial<Container> = {}): PodBuilder {
    return this.#with({ containers: [...this.#said.containers, { name, image: IMAGE, ...more }] });
  }

  /** The resource requests of its first container. */
  requests(requests: Readonly<Record<string, string>>): PodBuilder {
    return this.#with({ requests: { ...this.#said.requests, ...requests } });
  }

  gated(...gates: readonly string[]): PodBuilder {
    return gates.length === 0 ? this : this.spec({ schedulingGates: gates.map((name) => ({ name })) });
  }

  on(nodeName: string): PodBuilder {
    return this.spec({ nodeName });
  }

  /** With other fields of its spec in addition. Containers given here replace those that were named. */
  spec(more: Partial<PodSpec>): PodBuilder {
    return this.#with({ spec: { ...this.#said.spec, ...more } });
  }

  pending(reason = "ContainerCreating"): PodBuilder {
    return this.#with({ phase: { phase: "Pending", state: { waiting: { reason } } } });
  }

  running(startedAt: string = CREATED): PodBuilder {
    return this.#with({ phase: { phase: "Running", state: { running: { startedAt } } } });
  }

  succeeded(): PodBuilder {
    return this.#with({ phase: { phase: "Succeeded", state: { terminated: { exitCode: 0, reason: "Completed" } } } });
  }

  /** Failed, because its first container ended with this exit code and reason. */
  failed(exitCode = 1, reason = "Error"): PodBuilder {
    return this.#with({ phase: { phase: "Failed", state: { terminated: { exitCode, reason } } } });
  }

  /** With other fields of its status in addition. */
  status(more: PodStatus): PodBuilder {
    return this.#with({ status: { ...this.#said.status, ...more } });
  }

  build(): BuiltPod {
    const { metadata, spec, phase, status } = this.#said;
    const containers = this.#containers();
    const [{ name }] = containers;
    const told = phase && {
      phase: phase.phase,
      containerStatuses: [
        { name, image: IMAGE, imageID: "", ready: phase.phase === "Running", restartCount: 0, state: phase.state },
      ],
    };
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: { containers, ...spec },
      ...((told ?? status) && { status: { ...told, ...status } }),
    };
  }

  stored(): StoredPod {
    const built = this.build();
    const uid = `uid-of-${built.metadata.name}`;
    return { ...built, metadata: { uid, resourceVersion: "1", creationTimestamp: CREATED, ...built.metadata } };
  }

  #containers(): [Container, ...Container[]] {
    const { containers, requests } = this.#said;
    const [first = { name: "main", image: IMAGE }, ...others] = containers;
    const asks = Object.keys(requests).length > 0;
    return [asks ? { ...first, resources: { ...first.resources, requests } } : first, ...others];
  }

  #with(more: Partial<Said>): PodBuilder {
    return new PodBuilder({ ...this.#said, ...more });
  }
}
