import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Gate } from "../submissions/gate.ts";
import { callerOf } from "./caller.ts";

/** How to let out who is inside, of each request that is. */
const leaving = new WeakMap<FastifyRequest, () => void>();
const carriedOut = new WeakSet<FastifyRequest>();

/** Lets requests of these routes in before their bodies are read, so that no more bodies are held than may be carried out. */
export function takeTurns(app: FastifyInstance, gate: Gate): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.takesTurn === true) leaving.set(request, gate.enter(callerOf(request).subject));
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    // A client that has gone away does not end what it has asked for.
    if (!carriedOut.has(request)) leaving.get(request)?.();
    done();
  });
}

/** Carries out what a request asks for, and lets it out at the end. */
export async function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  carriedOut.add(request);
  try {
    return await work();
  } finally {
    leaving.get(request)?.();
  }
}
