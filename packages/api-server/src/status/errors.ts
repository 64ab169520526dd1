import { type ResourceName, type StatusCause, type StatusDetails, qualifiedResource } from "@kindling/kube-objects";
import { type FieldError, causesOf, summarise } from "./field-error.ts";
import { ApiError } from "./status.ts";

function resourceDetails({ group, resource }: ResourceName, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource };
}

/** 404: there is no object of that name. */
export function notFound(resource: ResourceName, name: string): ApiError {
  const message = `${qualifiedResource(resource)} ${JSON.stringify(name)} not found`;
  return new ApiError(404, "NotFound", message, resourceDetails(resource, name));
}

/** 404: the server serves no such path or subresource. */
export function unknownPath(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource", {});
}

/** 405: the path is served, but not with that method. */
export function methodNotAllowed(): ApiError {
  return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

/** 409: the name is taken. */
export function alreadyExists(resource: ResourceName, name: string): ApiError {
  const message = `${qualifiedResource(resource)} ${JSON.stringify(name)} already exists`;
  return new ApiError(409, "AlreadyExists", message, resourceDetails(resource, name));
}

/** 409: the object is not in the state that the request expects. */
export function conflict(resource: ResourceName, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${JSON.stringify(name)}: ${why}`;
  return new ApiError(409, "Conflict", message, resourceDetails(resource, name));
}

/** 409 for an update whose resourceVersion is not the current one. */
export function outdated(resource: ResourceName, name: string): ApiError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(resource, name, why);
}

/** 400: the request makes no sense. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

/** 401: the given credential is invalid. */
export function unauthorized(): ApiError {
  return new ApiError(401, "Unauthorized", "Unauthorized");
}

/** 403: the request is not allowed; `why` follows the resource and the name. */
export function forbidden(resource: ResourceName, name: string, why: string): ApiError {
  const subject = name === "" ? "" : ` ${JSON.stringify(name)}`;
  const message = `${qualifiedResource(resource)}${subject} is forbidden: ${why}`;
  return new ApiError(403, "Forbidden", message, resourceDetails(resource, name));
}

/** 422: fields of the object are wrong. */
export function invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): ApiError {
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const message = `${qualified} ${JSON.stringify(name)} is invalid: ${summarise(errors)}`;
  return new ApiError(422, "Invalid", message, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
    causes: causesOf(errors),
  });
}

/** 410: the state from which the client wants to continue is no longer kept; with `token` a list can still continue. */
export function expired(message: string, token?: string): ApiError {
  return new ApiError(410, "Expired", message, undefined, token === undefined ? {} : { continue: token });
}

/** 413: the body is larger than the limit. */
export function tooLarge(message: string): ApiError {
  return new ApiError(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}

/** 415: the body is in a format that the server does not read. */
export function unsupportedMediaType(): ApiError {
  const list = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return new ApiError(415, "UnsupportedMediaType", message);
}

/** 415 for patches; for custom resources the server names the accepted types. */
export function unsupportedPatchType(accepted?: readonly string[]): ApiError {
  if (accepted === undefined) return new ApiError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  const list = accepted.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return new ApiError(415, "UnsupportedMediaType", message);
}

/** 406: the client accepts no format that the server can write. */
export function notAcceptable(available: readonly string[]): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(", ")}`;
  return new ApiError(406, "NotAcceptable", message, {});
}

/** 429: try again later. */
export function tooManyRequests(message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]): ApiError {
  const details = {
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  };
  return new ApiError(429, "TooManyRequests", message, details);
}

/** 504: a resourceVersion that the server has not reached. */
export function tooLargeResourceVersion(asked: number, current: number): ApiError {
  return new ApiError(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** 500: this server failed. */
export function internalError(message: string): ApiError {
  return new ApiError(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
