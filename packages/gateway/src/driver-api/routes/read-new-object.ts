import type { KubeObject } from "@kindling/kube-objects";
import { badRequest, forbidden, readObject, tooManyRequests, writeOptions } from "@kindling/api-server";
import { fingerprint } from "../../json/fingerprint.ts";
import { unsaved } from "../../json/unsaved.ts";
import type { DriverRequest } from "./driver-request.ts";

/** From this size in bytes on, each step of reading an object takes milliseconds. */
const LONG = 32 * 1024;

/** An object that a driver wants to create. */
export interface NewObject {
  readonly object: KubeObject;
  /** The size of its JSON, as it was sent. */
  readonly bytes: number;
  /** The fingerprint of its labels and of everything except its metadata: the same for a repeated request. */
  readonly fingerprint: string;
}

/**
 * Reads the body of a POST.
 *
 * @throws ApiError 400 if it is no object of the type, has no name, or is a dry run; 413 if it is too large; 403 if the
 * application already uses too much memory, and 429 if others do
 */
export async function readNewObject(request: DriverRequest): Promise<NewObject> {
  const { exchange, type, application, target, body } = request;
  if (writeOptions(exchange, "CreateOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  const object = await readObject(exchange, type, application.view.types);
  const { metadata, status: _status, ...content } = object;
  if ((metadata.name ?? "") === "") throw badRequest("the gateway does not generate names: metadata.name is required");
  exchange.objectName = metadata.name;
  const namespace = target.namespace ?? "";
  if ((metadata.namespace ?? namespace) !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  await turn(body.size.bytes);
  keep(request, metadata.name);
  const labels = metadata.labels ?? {};
  return {
    object: { ...object, metadata: unsaved({ ...metadata, namespace }), status: undefined },
    bytes: body.size.bytes,
    fingerprint: fingerprint({ labels, content }),
  };
}

/** Gives others a turn before a large object is read, compared and kept, because that takes a while. */
async function turn(bytes: number): Promise<void> {
  if (bytes > LONG) await new Promise((resolve) => setImmediate(resolve));
}

/** Sets are not kept in memory: the cluster is asked about them. */
function keep({ type, mirror, application: { memory }, body }: DriverRequest, name: string): void {
  if (mirror === undefined) return;
  switch (memory.admit(`${type.plural}/${name}`, body.size)) {
    case "fits":
      return;
    case "too-much":
      throw forbidden(
        { group: type.group, resource: type.plural },
        name,
        "the application's objects take all the memory that it may have at the gateway: delete some, make them smaller, or " +
          "ask for a higher memory.kept",
      );
    case "no-room":
      throw tooManyRequests("the gateway has no memory for this object at present; try again later", 5);
  }
}
