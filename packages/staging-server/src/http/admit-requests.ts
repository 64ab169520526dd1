import type { Random } from "@kindling/outside";
import { clientOfAddress, type ConnectionGuard, type FairPool, type TokenBuckets } from "@kindling/service";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";
import { authenticate, type AuthenticationContext } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import { contentLength } from "./content-length.ts";
import { pathOf } from "./error-handler.ts";
import type { RequestTurns } from "./request-turns.ts";

/** What decides whether a request is worked on. */
export interface AdmissionContext extends AuthenticationContext {
  readonly random: Pick<Random, "fraction">;
  readonly connections: ConnectionGuard;
  /** Requests under way, by client. */
  readonly requests: FairPool;
  readonly turns: RequestTurns;
  /** Requests of those who prove nothing, by address. */
  readonly strangers: TokenBuckets;
  /** Aborted when the server is told to stop. */
  readonly stopping: AbortSignal;
}

// With its headers read, its caller known and its answer written.
const REQUEST_MS = 0.3;

/**
 * What happens to every request before anything of its body is read: it is for a route, its body is one that the route
 * takes, its caller is who the route wants, and has not too many others under way.
 */
export function admitRequests(app: FastifyInstance, context: AdmissionContext): void {
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
    // Whoever asks too often what needs no credentials has to line up for a connection each time.
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

/** Whose requests are counted together: those of one subject, for the bundles of one namespace, from one address. */
function clientOf({ authenticator }: AdmissionContext, request: FastifyRequest, caller: Caller): string {
  // Where anybody may be anybody, only the address tells them apart.
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

/** A body that nobody reads would hold its connection for as long as its sender likes. */
function checkBody(request: FastifyRequest, isTaken: boolean): void {
  if (isTaken || contentLength(request.raw) === 0) return;
  throw new ProblemError("invalid-request", `${request.method} takes no body here`);
}

function tooMany({ random }: AdmissionContext): ProblemError {
  return new ProblemError("too-many-requests", undefined, { retryAfterSeconds: 1 + Math.floor(random.fraction() * 5) });
}
