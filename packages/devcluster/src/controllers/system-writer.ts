import { jsonEqual, type JsonObject, type KubeObject, type ObjectMeta } from "@kindling/kube-objects";
import {
  type Api,
  ApiError,
  collectionOf,
  createObject,
  deleteObject,
  type DeleteOptions,
  editable,
  type ResourceType,
  updateObject,
  type WriteContext,
} from "@kindling/api-server";
import { controlPlane } from "../auth/cluster-users.ts";

/** The object that a controller wants to create; the server fills in the rest. */
export interface Wanted extends JsonObject {
  metadata: Partial<ObjectMeta>;
}

export interface Place {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Writes as a component of the control plane. */
export class SystemWriter {
  readonly #api: Api;
  readonly #context: WriteContext;

  constructor(api: Api, manager: string) {
    this.#api = api;
    this.#context = { user: controlPlane(manager), manager, dryRun: false, subresource: "" };
  }

  /** @throws ApiError if the object exists already, or is refused. */
  create(type: ResourceType, namespace: string | undefined, wanted: Wanted): KubeObject {
    const body = { ...wanted, kind: type.kind, apiVersion: type.apiVersion };
    const object = type.decode(structuredClone(body), { defaults: true });
    return createObject(this.#api, type, namespace, { object }, this.#context).object;
  }

  /** Creates an object unless one with its name exists. */
  ensure(type: ResourceType, namespace: string | undefined, wanted: Wanted): void {
    const name = wanted.metadata.name ?? "";
    if (collectionOf(this.#api, type).get(namespace, name) === undefined) this.create(type, namespace, wanted);
  }

  /**
   * Changes an object; the result of `change` may share unchanged parts with its argument. Does nothing if the object is
   * gone.
   */
  update(
    type: ResourceType,
    place: Place,
    change: (current: KubeObject) => KubeObject,
    subresource: string = "",
  ): void {
    if (collectionOf(this.#api, type).get(place.namespace, place.name) === undefined) return;
    updateObject(
      this.#api,
      type,
      { namespace: place.namespace, name: place.name },
      ({ object }) => ({ object: editable(change(object)) }),
      { ...this.#context, subresource },
    );
  }

  /** Changes an object's status, if it differs. Does nothing if the object is gone. */
  updateStatus<T extends KubeObject>(type: ResourceType, place: Place, change: (current: T) => T["status"]): void {
    const stored = collectionOf(this.#api, type).get(place.namespace, place.name);
    if (stored === undefined) return;
    const status = change(stored.object as T);
    if (jsonEqual(status, stored.object["status"])) return;
    this.update(type, place, (current) => ({ ...current, status }), "status");
  }

  /** Deletes an object. Does nothing if it is gone, or if its uid is another one. */
  delete(type: ResourceType, place: Place, options: DeleteOptions = {}): void {
    try {
      deleteObject(this.#api, type, { namespace: place.namespace, name: place.name }, options, this.#context);
    } catch (error) {
      const code = error instanceof ApiError ? error.status.code : 0;
      if (code !== 404 && code !== 409) throw error;
    }
  }
}
