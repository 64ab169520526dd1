import { badRequest, forbidden, type KubeObject, readObject, writeOptions } from "@kindling/api-server";
import { fingerprint } from "../json/fingerprint.ts";
import { unsaved } from "../views/unsaved.ts";
import type { DriverRequest } from "./driver-request.ts";

/** An object that a driver wants made. */
export interface NewObject {
  readonly object: KubeObject;
  /** Of its labels and all but its metadata: the same for a request that is made again. */
  readonly fingerprint: string;
}

/**
 * Reads the body of a POST.
 *
 * @throws ApiError 400 for what is no object of the type, has no name, or is a dry run; 413 beyond 3 MiB; 403 if so much
 * is kept for the application already that there is no room for it
 */
export async function readNewObject({ exchange, type, application, target }: DriverRequest): Promise<NewObject> {
  if (writeOptions(exchange, "CreateOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  const object = await readObject(exchange, type, application.view.types);
  const { metadata, status: _status, ...content } = object;
  if ((metadata.name ?? "") === "") throw badRequest("the gateway makes no names up: metadata.name is required");
  const namespace = target.namespace ?? "";
  if ((metadata.namespace ?? namespace) !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const size = JSON.stringify(object).length;
  if (!application.budget.take(`${type.plural}/${metadata.name}`, size)) {
    throw forbidden({ group: type.group, resource: type.plural }, metadata.name, "the application keeps too much here");
  }
  const labels = metadata.labels ?? {};
  return {
    object: { ...object, metadata: unsaved({ ...metadata, namespace }), status: undefined },
    fingerprint: fingerprint({ labels, content }),
  };
}
