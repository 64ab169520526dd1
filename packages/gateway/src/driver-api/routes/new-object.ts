import type { ApiError } from "@kindling/api-server";
import type { Made } from "../door/shape.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { type NewObject, readNewObject } from "./read-new-object.ts";

/** What a driver wants made, and why it may not be made as it is, if so. */
export interface ArrivedObject extends NewObject {
  readonly refused: ApiError | undefined;
}

/**
 * Reads the body of a POST, and takes it through the door.
 *
 * @throws ApiError as {@link readNewObject}, and 503 if the cluster cannot be asked for what the driver was submitted with
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
