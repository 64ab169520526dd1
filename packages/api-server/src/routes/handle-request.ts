import type { IncomingMessage, ServerResponse } from "node:http";
import { ANONYMOUS } from "../authentication/user.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { internalError, methodNotAllowed, unknownPath } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { Exchange } from "./exchange.ts";
import { handlePatch } from "./handle-patch.ts";
import { handleGet, handleList } from "./handle-read.ts";
import { handleWatch } from "./handle-watch.ts";
import { handleCreate, handleDelete, handleDeleteCollection, handleUpdate } from "./handle-write.ts";
import { flag } from "./options.ts";
import { type RequestTarget, type ResourceTarget, parseTarget } from "./request-target.ts";
import { respondPlain, respondStatus } from "./respond.ts";
import type { Attributes, Service } from "./service.ts";

/** Answers one HTTP request. Never throws: errors are answered with a Status. */
export async function handleRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(request, response);
  try {
    const target = parseTarget(exchange.path);
    const own = await admitted(service, exchange, target, verbOf(exchange, target));
    if (own === undefined) return;
    if (target.kind === "resource") await handleResource(own, exchange, target, verbOf(exchange, target));
    else if (!own.nonResource(exchange)) respondPlain(exchange, 404, "404 page not found\n");
  } catch (error) {
    answerError(exchange, error);
  }
}

/**
 * Finds out who makes a request and whether it is allowed. Returns the service as this client sees it; undefined if the
 * request has been answered already.
 *
 * @throws ApiError 401, 403
 */
export async function admitted(
  service: Service,
  exchange: Exchange,
  target: RequestTarget,
  verb: string,
): Promise<Service | undefined> {
  if ((await service.arrived?.(exchange, target, verb)) === true) return undefined;
  const user = service.authenticate?.(exchange) ?? ANONYMOUS;
  // If the user is known at once, there is no extra turn of the event loop.
  exchange.user = user instanceof Promise ? await user : user;
  service.authorize?.(exchange.user, attributesOf(exchange, target, verb));
  const own = service.viewFor === undefined ? service : { ...service, api: service.viewFor(exchange) };
  return (await service.allowed?.(exchange, target, verb)) === true ? undefined : own;
}

/** Answers with the error. */
export function answerError(exchange: Exchange, error: unknown): void {
  const { response } = exchange;
  const known =
    error instanceof ApiError ? error : internalError(error instanceof Error ? error.message : String(error));
  exchange.fault = known;
  if (response.headersSent) response.destroy();
  else respondStatus(exchange, known.status);
}

/** The verb of a request, in the words of RBAC; for paths that are not resources, the method in lower case. */
export function verbOf(exchange: Exchange, target: RequestTarget): string {
  const method = exchange.method.toLowerCase();
  if (target.kind === "other") return method;
  const one = target.name !== undefined;
  switch (method) {
    case "get":
    case "head":
      if (one) return "get";
      return flag(exchange.query, "watch") ? "watch" : "list";
    case "post":
      return "create";
    case "put":
      return "update";
    case "delete":
      return one ? "delete" : "deletecollection";
    default:
      return method;
  }
}

/** Finds the type of a target; unknown groups are answered without a Status, like any other unknown path. */
export function typeOf(service: Service, exchange: Exchange, target: ResourceTarget): ResourceType | undefined {
  const { group, version, plural } = target;
  const type = service.api.types.find(group, version, plural);
  if (type !== undefined) return type;
  const knownGroup =
    group === "" || service.api.types.all().some((other) => other.group === group && other.version === version);
  if (knownGroup) throw unknownPath();
  respondPlain(exchange, 404, "404 page not found\n");
  return undefined;
}

function attributesOf(exchange: Exchange, target: RequestTarget, verb: string): Attributes {
  if (target.kind === "other") return { kind: "path", verb, path: exchange.path };
  return {
    kind: "resource",
    verb,
    group: target.group,
    version: target.version,
    resource: target.plural,
    subresource: target.subresource,
    // A namespace is itself in the namespace of its name.
    namespace: target.namespace ?? (target.group === "" && target.plural === "namespaces" ? (target.name ?? "") : ""),
    name: target.name ?? "",
  };
}

async function handleResource(
  service: Service,
  exchange: Exchange,
  target: ResourceTarget,
  verb: string,
): Promise<void> {
  const review = service.reviews?.find(({ plural, group }) => plural === target.plural && group === target.group);
  if (review !== undefined) {
    if (target.name !== undefined && target.subresource === "") throw unknownPath();
    if (verb !== "create") throw methodNotAllowed();
    await review.answer(service, exchange, target);
    return;
  }
  const type = typeOf(service, exchange, target);
  if (type === undefined) return;
  if (target.name !== undefined && target.subresource !== "" && target.subresource !== "status") {
    const handler = service.subresources?.get(`${type.plural}.${type.group}/${target.subresource}`);
    if (handler === undefined) throw unknownPath();
    await handler({ service, exchange, type, target: { ...target, name: target.name } });
    return;
  }
  if (target.subresource === "status" && !type.subresources.some(({ name }) => name === "status")) throw unknownPath();
  if (type.namespaced && target.namespace === undefined && (target.name !== undefined || verb === "create")) {
    throw target.name === undefined ? methodNotAllowed() : unknownPath();
  }
  await handleVerb(service, exchange, type, target, verb);
}

async function handleVerb(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
  verb: string,
): Promise<void> {
  if (target.subresource === "" && !type.verbs.some((one) => one === verb)) throw methodNotAllowed();
  switch (verb) {
    case "get":
      return handleGet(service, exchange, type, target);
    case "list":
      return await handleList(service, exchange, type, target);
    case "watch":
      return handleWatch(service, exchange, type, target);
    case "create":
      if (target.name !== undefined) break;
      return await handleCreate(service, exchange, type, target);
    case "update":
      if (target.name === undefined) break;
      return await handleUpdate(service, exchange, type, target);
    case "patch":
      if (target.name === undefined) break;
      return await handlePatch(service, exchange, type, target);
    case "delete":
      if (target.subresource !== "") break;
      return await handleDelete(service, exchange, type, target);
    case "deletecollection":
      return await handleDeleteCollection(service, exchange, type, target);
    default:
  }
  throw methodNotAllowed();
}
