import type { Condition } from "@kindling/kube-objects";
import { collectionOf, type ResourceType } from "@kindling/api-server";
import { customType } from "../types/custom/custom-type.ts";
import type { CustomResourceDefinition } from "../objects/custom-resource-definition.ts";
import { setCondition } from "../objects/conditions.ts";
import type { ControllerContext } from "./controller.ts";
import { QueueController } from "./queue-controller.ts";

const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

const NAMES_ACCEPTED: Condition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const ESTABLISHED: Condition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

/** Serves the resources of custom resource definitions, and removes their objects when a definition is deleted. */
export class CustomResourceController extends QueueController {
  readonly #type: ResourceType;

  constructor(context: ControllerContext) {
    super(context, "kube-apiserver");
    this.#type = context.api.types.builtIn("customresourcedefinitions", "apiextensions.k8s.io");
  }

  override start(): void {
    const collection = collectionOf(this.context.api, this.#type);
    this.follow(collection, ({ type, object }) => {
      if (type === "DELETED") this.#withdraw(object.object as CustomResourceDefinition);
      else this.queue.add(object.object.metadata.name);
    });
    for (const { object } of collection.list()) this.queue.add(object.metadata.name);
  }

  protected override sync(name: string): void {
    const stored = collectionOf(this.context.api, this.#type).get(undefined, name);
    if (stored === undefined) return;
    const definition = stored.object as CustomResourceDefinition;
    if (definition.metadata.deletionTimestamp !== undefined) {
      this.#cleanUp(definition);
      return;
    }
    this.#serve(definition);
    if (definition.metadata.finalizers?.includes(CLEANUP) !== true) {
      this.writer.update(this.#type, { name }, (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: [...(current.metadata.finalizers ?? []), CLEANUP] },
      }));
    }
    this.writer.updateStatus<CustomResourceDefinition>(this.#type, { name }, (current) => ({
      ...current.status,
      acceptedNames: { ...current.spec.names },
      conditions: this.#conditions(current),
    }));
  }

  #conditions({ status }: CustomResourceDefinition): Condition[] {
    const now = this.context.api.clock.now();
    const accepted = setCondition(status.conditions ?? [], NAMES_ACCEPTED, now);
    return setCondition(accepted, ESTABLISHED, now);
  }

  #serve(definition: CustomResourceDefinition): void {
    const { types } = this.context.api;
    const { group, names, versions } = definition.spec;
    types.remove(group, names.plural);
    for (const version of versions) if (version.served) types.set(customType(definition, version));
  }

  #withdraw({ spec, metadata }: CustomResourceDefinition): void {
    this.context.api.types.remove(spec.group, spec.names.plural);
    this.context.api.store.dropCollection(metadata.name);
  }

  // The definition waits for its objects, and these wait for their own finalizers.
  #cleanUp({ spec, metadata }: CustomResourceDefinition): void {
    const type = this.context.api.types.ofResource(spec.group, spec.names.plural);
    const left = type === undefined ? [] : [...collectionOf(this.context.api, type).list()];
    if (type !== undefined) {
      for (const { object } of left)
        if (object.metadata.deletionTimestamp === undefined) this.writer.delete(type, object.metadata);
      if ([...collectionOf(this.context.api, type).list()].length > 0) {
        this.queue.addAfter(metadata.name, 100);
        return;
      }
    }
    this.writer.update(this.#type, { name: metadata.name }, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: (current.metadata.finalizers ?? []).filter((one) => one !== CLEANUP),
      },
    }));
  }
}
