import { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import type { ConnectionGuard } from "@kindling/service";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticator, Identity } from "../auth/authenticator.ts";
import type { Gate } from "./gate.ts";
import { callerOf, identify } from "./caller.ts";

export interface StreamOptions {
  readonly gate: Gate;
  readonly authenticator: Authenticator;
  readonly connections: ConnectionGuard;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  /** Whether the answer starts only with the first text, so that a source that fails at once gives an error. */
  readonly waitsForFirst: boolean;
  /** Whether the client, with its authenticated identity, may still read this. */
  readonly isAllowed: (identity: Identity) => Promise<boolean>;
}

/** How often the rights of a stream's reader are checked again: tokens and rights end. */
const LOOK_MS = 60_000;

/**
 * Answers with texts as they come, at the reader's speed. The signal ends the source: when the reader disconnects or loses
 * the right to read, and when the service stops.
 *
 * @throws ProblemError `overloaded`; errors of the source before its first text, if that is waited for
 */
export async function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { gate, authenticator, connections, clock, stopping, waitsForFirst, isAllowed }: StreamOptions,
  source: (signal: AbortSignal) => AsyncGenerator<string, void>,
): Promise<FastifyReply> {
  const leave = gate.enter(callerOf(request).subject);
  const over = connections.spanOf(request.raw)?.connection.streamBegan();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    const isStill = await identify(authenticator, request).then(isAllowed, () => false);
    if (!isStill) end();
    else if (!ending.signal.aborted) cancel = clock.after(LOOK_MS, () => void look());
  };
  cancel = clock.after(LOOK_MS, () => void look());
  stopping.addEventListener("abort", end);
  if (stopping.aborted) end();
  const release = (): void => {
    end();
    cancel();
    stopping.removeEventListener("abort", end);
    leave();
    over?.();
  };
  reply.raw.once("close", release);
  const texts = source(ending.signal);
  const stream = Readable.from(waitsForFirst ? await begun(texts) : texts, { objectMode: false });
  // A reverse proxy may buffer an answer until it is complete, unless this header is set.
  void reply.header("x-accel-buffering", "no");
  return await reply.send(stream);
}

/** The same texts; the first one has arrived already. */
async function begun(texts: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await texts.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* texts;
  })();
}
