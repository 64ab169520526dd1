import { PassThrough, pipeline, type Readable, type Transform } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { OwnCounts } from "@kindling/service";
import { callerOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";

/** Answers that are sent at the speed of their readers. */
export interface Streams {
  /**
   * @param change what the text goes through on its way
   * @throws ProblemError `overloaded`
   */
  send(request: FastifyRequest, reply: FastifyReply, source: Readable, change?: Transform): Promise<FastifyReply>;
  /** How many are being sent. */
  readonly open: number;
}

/** @param most how many there may be at the same time; one reader gets half of them */
export function streams(most: number): Streams {
  const bySubject = new OwnCounts();
  let open = 0;

  function enter(subject: string): () => void {
    const own = bySubject.of(subject);
    if (open >= most) throw new ProblemError("overloaded", `${most} logs are being read, which is the limit`);
    if (own >= Math.ceil(most / 2))
      throw new ProblemError("overloaded", `you read ${own} logs at once, which is one reader's limit`);
    open++;
    const takeBack = bySubject.add(subject);
    return () => {
      open--;
      takeBack();
    };
  }

  return {
    get open() {
      return open;
    },
    async send(request, reply, source, change = new PassThrough()) {
      let leave: () => void;
      try {
        leave = enter(callerOf(request).subject);
      } catch (error) {
        source.destroy();
        throw error;
      }
      reply.raw.once("close", () => source.destroy());
      const text = pipeline(source, change, () => leave());
      return await reply.send(text);
    },
  };
}
