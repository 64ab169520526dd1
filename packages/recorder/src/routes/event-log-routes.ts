import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isName } from "@kindling/recorder-client";
import { driverOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import { EventLogTooLarge, OffsetError } from "../spool/event-log-spool.ts";
import type { EventLogTarget, EventLogTargets } from "../recording/event-log-target.ts";
import { SpoolFullError } from "../spool/spool-room.ts";

export interface EventLogRoutesOptions {
  readonly targets: EventLogTargets;
  /** How large the event logs of one driver may be, in bytes. */
  readonly most: number;
}

const PIECE_BYTES = 1024 * 1024;
const LOG = /^eventlog_v2_/;
const FILE = /^(?:events_\d+|appstatus)_/;

/** Takes event logs from the second containers of drivers' pods. Each reaches those of its own driver alone. */
export function eventLogRoutes(app: FastifyInstance, { targets, most }: EventLogRoutesOptions): void {
  app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );

  app.get("/api/v1/event-logs/own", { config: { isOfDriver: true } }, async (request) => {
    const { log, hasDriverEnded } = await targetOf(targets, request);
    return {
      files: log.files.map(({ log: folder, name, size }) => ({ path: `${folder}/${name}`, size })),
      hasDriverEnded: hasDriverEnded(),
    };
  });

  app.patch(
    "/api/v1/event-logs/own/:log/:file",
    { config: { isOfDriver: true }, bodyLimit: PIECE_BYTES },
    async (request, reply) => {
      const { log } = await targetOf(targets, request);
      const file = nameOf(request);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      checkDigest(request, bytes);
      try {
        await log.append(file, { offset: offsetOf(request), bytes, most });
      } catch (error) {
        throw asProblem(error);
      }
      return await reply.code(204).send();
    },
  );

  app.post("/api/v1/event-logs/own/complete", { config: { isOfDriver: true } }, async (request, reply) => {
    const { log, onComplete } = await targetOf(targets, request);
    await log.complete();
    onComplete();
    return await reply.code(204).send();
  });
}

async function targetOf(targets: EventLogTargets, request: FastifyRequest): Promise<EventLogTarget> {
  const target = await targets(driverOf(request));
  if (target !== undefined) return target;
  throw new ProblemError("unavailable", "the recorder does not know this driver (yet)");
}

function nameOf(request: FastifyRequest): { readonly log: string; readonly name: string } {
  const { log, file } = request.params as { readonly log: string; readonly file: string };
  if (LOG.test(log) && FILE.test(file) && isName(log) && isName(file)) return { log, name: file };
  throw new ProblemError("invalid-request", "this is no file of an event log");
}

function offsetOf({ headers }: FastifyRequest): number {
  const written = headers["upload-offset"];
  if (typeof written === "string" && /^\d{1,15}$/.test(written)) return Number(written);
  throw new ProblemError("invalid-request", "the header upload-offset is missing, or no number");
}

/** RFC 9530. */
function checkDigest({ headers }: FastifyRequest, bytes: Buffer): void {
  const [, wanted] = /^sha-256=:([A-Za-z0-9+/=]+):$/.exec(String(headers["content-digest"])) ?? [];
  if (wanted === createHash("sha256").update(bytes).digest("base64")) return;
  throw new ProblemError("unavailable", "what has arrived is not what the header content-digest says");
}

function asProblem(error: unknown): unknown {
  if (error instanceof OffsetError) return new ProblemError("conflict", error.message);
  if (error instanceof SpoolFullError) return new ProblemError("unavailable", error.message, { cause: error });
  if (error instanceof EventLogTooLarge) return new ProblemError("too-large", error.message);
  return error;
}
