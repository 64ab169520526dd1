import { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import type { ConnectionGuard } from "@kindling/service";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticator, Identity } from "../auth/authenticator.ts";
import type { Gate } from "../submissions/gate.ts";
import { callerOf, identify } from "./caller.ts";

export interface StreamOptions {
  readonly gate: Gate;
  readonly authenticator: Authenticator;
  readonly connections: ConnectionGuard;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  /** Whether the answer begins with the first text, so that a source that fails at once is a refusal. */
  readonly waitsForFirst: boolean;
  /** Whether the reader, as whom it has proved to be, may still have this. */
  readonly isAllowed: (identity: Identity) => Promise<boolean>;
}

/** How often a stream's reader has to be allowed anew: tokens and rights end. */
const LOOK_MS = 60_000;

/**
 * Answers with texts as they come, at the reader's pace. The signal ends the source: when the reader goes away or may not read
 * any more, and when the service stops.
 *
 * @throws ProblemError `overloaded`; what the source throws before its first text, where that is waited for
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
  // What stands before this server may gather an answer until it is whole, unless it is told not to.
  void reply.header("x-accel-buffering", "no");
  return await reply.send(stream);
}

/** The same texts, of which the first is there. */
async function begun(texts: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await texts.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* texts;
  })();
}
