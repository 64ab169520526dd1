import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Gate } from "./gate.ts";
import { callerOf } from "./caller.ts";

/** For each request that holds a turn, the function that gives it back. */
const leaving = new WeakMap<FastifyRequest, () => void>();
const carriedOut = new WeakSet<FastifyRequest>();

/**
 * Gives requests of these routes a turn before their bodies are read, so that no more bodies are in memory than can be
 * processed.
 */
export function takeTurns(app: FastifyInstance, gate: Gate): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.takesTurn === true) leaving.set(request, gate.enter(callerOf(request).subject));
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    // If a client disconnects, its request is still carried out.
    if (!carriedOut.has(request)) leaving.get(request)?.();
    done();
  });
}

/** Carries out a request, and gives its turn back at the end. */
export async function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  carriedOut.add(request);
  try {
    return await work();
  } finally {
    leaving.get(request)?.();
  }
}
