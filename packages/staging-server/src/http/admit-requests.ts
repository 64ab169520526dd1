import type { Random } from "@kindling/outside";
import { clientOfAddress, type ConnectionGuard, type FairPool, type TokenBuckets } from "@kindling/service";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";
import { authenticate, type AuthenticationContext } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import { contentLength } from "./content-length.ts";
import { pathOf } from "./error-handler.ts";
import type { RequestTurns } from "./request-turns.ts";

/** The state that decides whether a request is processed. */
export interface RequestDoorContext extends AuthenticationContext {
  readonly random: Pick<Random, "fraction">;
  readonly connections: ConnectionGuard;
  /** Requests under way, by client. */
  readonly requests: FairPool;
  readonly turns: RequestTurns;
  /** Requests without credentials, by address. */
  readonly strangers: TokenBuckets;
  /** Aborted when the server is told to stop. */
  readonly stopping: AbortSignal;
}

// The cost of a request: to read its headers, find its caller and write its answer.
const REQUEST_MS = 0.3;

/**
 * Checks every request before its body is read: a route must exist and accept such a body, and the caller must have the
 * access that the route needs and not too many other requests under way.
 */
export function admitRequests(app: FastifyInstance, context: RequestDoorContext): void {
  app.decorateRequest("caller", null);
  app.decorateRequest("span", null);
  app.decorateRequest("client", "");
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} does not say who may call it`);
  });
  app.addHook("onRequest", async (request, reply) => {
    if (context.stopping.aborted) throw new ProblemError("shutting-down", undefined, { retryAfterSeconds: 1 });
    const { access, body, transfers } = request.routeOptions.config;
    if (request.is404 || access === undefined) {
      throw new ProblemError("not-found", `nothing is served at ${request.method} ${pathOf(request)}`);
    }
    const span = context.connections.spanOf(request.raw);
    if (span === undefined) throw new Error("a request came over a connection that nobody knows of");
    request.span = span;
    const address = clientOfAddress(request.ip);
    request.client = `address ${address}`;
    // A client that calls routes without credentials too often needs a new connection for each request.
    const isHasty = access === "anybody" && span.connection.isStranger && !context.strangers.take(address);
    if (isHasty) void reply.header("connection", "close");
    request.caller = await authenticate(context, request, access);
    request.client = clientOf(context, request, request.caller);
    if (access !== "anybody") span.connection.identified(request.client);
    checkBody(request, body !== undefined);
    const leave = context.requests.take(request.client);
    if (leave === undefined) throw tooMany(context);
    span.onEnd(leave);
    if (transfers === true) span.onEnd(span.connection.transferBegan());
    await context.turns.wait(request.client, REQUEST_MS, (gone) => span.onEnd(gone));
  });
}

/** The name under which requests are counted: a subject, a namespace whose bundle is used, or an address. */
function clientOf({ authenticator }: RequestDoorContext, request: FastifyRequest, caller: Caller): string {
  // Without authentication, only the address distinguishes clients.
  if (authenticator.mode === "none") return request.client;
  switch (caller.kind) {
    case "anybody":
      return request.client;
    case "identity":
      return `subject ${caller.identity.subject}`;
    case "bundle":
      return `namespace ${caller.bundle.owner.ownerNamespace}`;
  }
}

/** A body that no code reads would keep its connection open for as long as its sender wants. */
function checkBody(request: FastifyRequest, isTaken: boolean): void {
  if (isTaken || contentLength(request.raw) === 0) return;
  throw new ProblemError("invalid-request", `${request.method} takes no body here`);
}

function tooMany({ random }: RequestDoorContext): ProblemError {
  return new ProblemError("too-many-requests", undefined, { retryAfterSeconds: 1 + Math.floor(random.fraction() * 5) });
}
