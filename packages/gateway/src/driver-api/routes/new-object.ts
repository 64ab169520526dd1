import type { ApiError } from "@kindling/api-server";
import type { Made } from "../door/shape.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { type NewObject, readNewObject } from "./read-new-object.ts";

/** The object that a driver wants to create, and, if it may not be created, the reason. */
export interface ArrivedObject extends NewObject {
  readonly refused: ApiError | undefined;
}

/**
 * Reads the body of a POST, and checks it with the `Door`.
 *
 * @throws ApiError as {@link readNewObject}, and 503 if the driver's submitted configuration cannot be read from the cluster
 */
export async function newObject(
  { door }: Pick<GatewayContext, "door">,
  request: DriverRequest,
  made: Made,
): Promise<ArrivedObject> {
  const { application } = request;
  const { object, ...read } = await readNewObject(request);
  const arrived = door.arriving(application, object);
  return { ...read, object: arrived, refused: await door.refused(made, application, arrived) };
}
