import { isObject, type JsonObject } from "@kindling/kube-objects";
import { badRequest, decode, DecodeError, type Exchange, readParsedBody, type StructType } from "@kindling/api-server";

/**
 * Reads the body of a review.
 *
 * @throws ApiError 400 if it is of another kind, or no such object.
 */
export async function readReview(exchange: Exchange, type: StructType, apiVersion: string): Promise<JsonObject> {
  const body = await readParsedBody(exchange, type.name, type);
  if (!isObject(body)) throw badRequest(`the object provided is unrecognized (must be of type ${type.name})`);
  const kind = body["kind"] ?? type.name;
  const version = body["apiVersion"] ?? apiVersion;
  if (kind !== type.name || version !== apiVersion) {
    throw badRequest(
      `${String(kind)} in version ${JSON.stringify(version)} cannot be handled as a ${type.name}: wrong kind`,
    );
  }
  try {
    return decode(type, { ...body, kind, apiVersion: version }, { defaults: true });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(
      `${type.name} in version ${JSON.stringify(version)} cannot be handled as a ${type.name}: ${error.message}`,
    );
  }
}
