import type { Condition, KubeObject } from "@kindling/kube-objects";
import { collectionOf } from "@kindling/api-server";
import type { Namespace } from "../objects/core.ts";
import { setCondition } from "../objects/conditions.ts";
import type { ControllerContext } from "./controller.ts";
import { QueueController } from "./queue-controller.ts";

const FINALIZER = "kubernetes";
const RETRY = 100;

/** Gives each namespace its first objects, and empties namespaces that are being deleted. */
export class NamespaceController extends QueueController {
  readonly #certificate: string;

  constructor(context: ControllerContext, certificate: string) {
    super(context);
    this.#certificate = certificate;
  }

  override start(): void {
    const { store } = this.context.api;
    const namespaces = store.collection("namespaces");
    this.follow(namespaces, ({ object }) => this.#begin(object.object));
    for (const resource of ["serviceaccounts", "configmaps"]) {
      // The first objects are created again if somebody deletes them.
      this.follow(store.collection(resource), ({ type, object }) => {
        if (type === "DELETED") this.queue.add(object.object.metadata.namespace ?? "");
      });
    }
    for (const { object } of namespaces.list()) this.#begin(object);
  }

  // A new namespace gets its account at once; the rest may wait.
  #begin({ metadata }: KubeObject): void {
    if (metadata.deletionTimestamp === undefined) this.#provide(metadata.name);
    else this.queue.add(metadata.name);
  }

  protected override sync(name: string): void {
    const stored = this.context.api.store.collection("namespaces").get(undefined, name);
    if (stored === undefined) return;
    const namespace = stored.object as Namespace;
    if (namespace.metadata.deletionTimestamp === undefined) this.#provide(name);
    else this.#empty(namespace);
  }

  #provide(name: string): void {
    const { types, store } = this.context.api;
    if (store.collection("namespaces").get(undefined, name) === undefined) return;
    this.writer.ensure(types.builtIn("serviceaccounts"), name, { metadata: { name: "default" } });
    this.writer.ensure(types.builtIn("configmaps"), name, {
      metadata: {
        name: "kube-root-ca.crt",
        annotations: {
          "kubernetes.io/description":
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
        },
      },
      data: { "ca.crt": this.#certificate },
    });
  }

  #empty(namespace: Namespace): void {
    const { api } = this.context;
    const { name } = namespace.metadata;
    const type = api.types.builtIn("namespaces");
    if (namespace.status.phase !== "Terminating") {
      this.writer.updateStatus<Namespace>(type, { name }, (current) => ({ ...current.status, phase: "Terminating" }));
    }
    const left = this.#deleteContent(name);
    this.writer.updateStatus<Namespace>(type, { name }, (current) => ({
      ...current.status,
      conditions: setCondition(current.status.conditions ?? [], this.#remaining(left), this.context.api.clock.now()),
    }));
    if (left > 0) {
      this.queue.addAfter(name, RETRY);
      return;
    }
    const collection = collectionOf(api, type);
    const current = collection.get(undefined, name);
    if (current === undefined) return;
    const object = current.object as Namespace;
    const finalizers = (object.spec.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    const emptied = finalizers.length > 0 ? { finalizers } : {};
    collection.put({ ...object, spec: emptied }, current.managed);
    if (finalizers.length === 0 && (object.metadata.finalizers ?? []).length === 0) collection.remove(undefined, name);
  }

  /** Deletes everything in a namespace and returns how many objects are still there. */
  #deleteContent(name: string): number {
    const { api } = this.context;
    let left = 0;
    const seen = new Set<string>();
    for (const type of api.types.all()) {
      if (!type.namespaced || seen.has(type.storageKey)) continue;
      seen.add(type.storageKey);
      const collection = collectionOf(api, type);
      for (const { object } of [...collection.list(name)]) {
        if (object.metadata.deletionTimestamp === undefined) this.writer.delete(type, object.metadata);
        if (collection.get(name, object.metadata.name) !== undefined) left += 1;
      }
    }
    return left;
  }

  #remaining(left: number): Condition {
    return {
      type: "NamespaceContentRemaining",
      status: left > 0 ? "True" : "False",
      reason: left > 0 ? "SomeResourcesRemain" : "ContentRemoved",
      message: left > 0 ? "Some resources are remaining" : "All content successfully removed",
    };
  }
}
