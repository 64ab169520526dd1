import type { AuditDecision, AuditedObject, AuditLog } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import type { ProblemError } from "../errors/problem-error.ts";
import { SUBMISSION_PROBLEMS } from "../errors/problem.ts";
import { callerIfKnown } from "./caller.ts";

/** Writes what requests change, and which requests are refused. */
export interface RequestAudit {
  /** Remembers what a request is about, for its event. */
  about(request: FastifyRequest, object: AuditedObject): void;
  /** A request has changed something. */
  done(request: FastifyRequest, reason: string): void;
  /** A request is answered with a problem. Only the first call for a request has an effect. */
  refused(request: FastifyRequest, problem: ProblemError): void;
}

/** Refusals of people, whatever they asked for. All other problems are written only for what changes something. */
const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "forbidden"]);
/** Their texts are about the client and the service; those of other problems may quote what was submitted. */
const TOLD_WHOLE: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "unavailable", "overloaded"]);

/** Audits requests. Routes name what they do in their config. */
export function auditRequests(log: AuditLog): RequestAudit {
  const objects = new WeakMap<FastifyRequest, AuditedObject>();
  const written = new WeakSet<FastifyRequest>();

  function write(request: FastifyRequest, decision: AuditDecision, reason: string): void {
    if (written.has(request)) return;
    written.add(request);
    const caller = callerIfKnown(request);
    log.write({
      verb: request.routeOptions.config.verb ?? "get",
      decision,
      reason,
      user: caller && { username: caller.subject, groups: caller.groups, credentialID: caller.credentialID },
      sourceIPs: sourceIPsOf(request),
      object: objects.get(request),
      requestID: request.id,
    });
  }

  if (!log.isOn) return { about: () => undefined, done: () => undefined, refused: () => undefined };
  return {
    about: (request, object) => void objects.set(request, { ...objects.get(request), ...object }),
    done: (request, reason) => write(request, "allow", reason),
    refused(request, problem) {
      const isOfPeople = REFUSALS.has(problem.problem);
      if (!isOfPeople && (request.is404 || request.routeOptions.config.changes !== true)) return;
      const { status, title } = SUBMISSION_PROBLEMS[problem.problem];
      const words = TOLD_WHOLE.has(problem.problem) ? problem.message : title;
      const code = problem.code === undefined ? "" : ` (${problem.code})`;
      write(request, status < 500 || problem.problem === "overloaded" ? "forbid" : "error", `${words}${code}`);
    },
  };
}

function sourceIPsOf({ ip, socket }: FastifyRequest): readonly string[] {
  const { remoteAddress } = socket;
  return remoteAddress === undefined || remoteAddress === ip ? [ip] : [ip, remoteAddress];
}
