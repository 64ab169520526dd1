import { hasAtMostValues } from "@kindling/http";
import type { Clock, Random } from "@kindling/outside";
import type { FairPool, RequestSpan } from "@kindling/service";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DOCUMENT_WEIGHT, type MemoryPlan } from "../../budget/memory-plan.ts";
import type { ServerConfig } from "../../config/server-config.ts";
import { ProblemError } from "../../errors/problem-error.ts";
import type { Lingering } from "../answer-early.ts";
import type { RequestTurns } from "../request-turns.ts";
import { documentLimits, type DocumentKind } from "./document-kinds.ts";
import { readDocument } from "./read-document.ts";

// The rate at which a document is read or written, checked, and freed again; measured with thousands of digests.
const BYTES_PER_MS = 16 * 1024;
// The kernel takes answers below this size at once.
const SMALL_ANSWER = 16 * 1024;

/** What bounds the documents that are read and sent. */
export interface DocumentContext {
  readonly config: Pick<ServerConfig, "limits.bundleFiles" | "limits.minRate" | "limits.minRateWindow">;
  readonly plan: { readonly memory: Pick<MemoryPlan, "document"> };
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly turns: RequestTurns;
  /** Bytes of documents being read, processed or sent, by client. */
  readonly documentMemory: FairPool;
  readonly lingering: Lingering;
}

/** Reads JSON documents for the routes that take one, and counts the memory of these and of the answers. */
export function takeDocuments(app: FastifyInstance, context: DocumentContext): void {
  const { config, clock, lingering } = context;
  const limits = documentLimits(config, context.plan.memory.document);
  const rate = { minBytesPerSecond: config["limits.minRate"], windowSeconds: config["limits.minRateWindow"] };
  const parse = app.getDefaultJsonParser("error", "error");

  function reserve(request: FastifyRequest, bytes: number): void {
    const release = context.documentMemory.take(request.client, bytes);
    if (release === undefined) {
      throw new ProblemError("overloaded", "the server has no memory for this document at present", {
        retryAfterSeconds: 1 + Math.floor(context.random.fraction() * 5),
      });
    }
    spanOf(request).onEnd(release);
  }

  async function take(request: FastifyRequest, kind: DocumentKind): Promise<unknown> {
    const limit = limits[kind];
    const bytes = await readDocument(request.raw, {
      limit,
      rate,
      clock,
      reserve: (more) => reserve(request, more * DOCUMENT_WEIGHT),
      release: lingering.release,
    });
    const costMs = bytes.length / BYTES_PER_MS;
    if (costMs > 1) await context.turns.wait(request.client, costMs, (gone) => spanOf(request).onEnd(gone));
    if (!hasAtMostValues(bytes, limit.values)) {
      throw new ProblemError("too-large", `the document has more than the ${limit.values} values it may have`);
    }
    return await new Promise((resolve, reject) => {
      const done = (error: Error | null, body?: unknown): void => (error === null ? resolve(body) : reject(error));
      void parse(request, bytes.toString("utf8"), done);
    });
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const { body } = request.routeOptions.config;
    return body === undefined || body === "stream" ? undefined : await take(request, body);
  });
  app.addContentTypeParser("*", (request, _payload, done) => {
    const { body } = request.routeOptions.config;
    // A route that accepts no body gets none here, so the type does not matter.
    if (body === undefined || body === "stream") done(null);
    else done(new ProblemError("unsupported-media-type", "send application/json"));
  });
  app.addHook("onSend", (request, _reply, payload, done) => {
    try {
      if (typeof payload === "string" && payload.length > SMALL_ANSWER && request.span !== null) {
        context.turns.spent(request.client, payload.length / BYTES_PER_MS);
        reserve(request, payload.length);
      }
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
}

function spanOf({ span }: FastifyRequest): RequestSpan {
  if (span === null) throw new Error("a request is admitted before its body is read");
  return span;
}
