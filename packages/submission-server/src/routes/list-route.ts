import { quotedName } from "@kindling/core-spec";
import type { FastifyInstance } from "fastify";
import { type ApplicationRecord, PHASES } from "../applications/application-record.ts";
import { pageOf, type Place, placeOf } from "../applications/pages.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { callerOf } from "../http/caller.ts";
import { answers, named, namespaceSchema } from "../schemas/schemas.ts";
import type { ServiceContext } from "./service-context.ts";
import { visibleNamespaces } from "./visible-namespaces.ts";

interface ListQuery {
  readonly namespace?: string;
  readonly state?: readonly string[];
  readonly limit: number;
  readonly continue?: string;
}

/** Lists applications in pages. */
export function listRoute(app: FastifyInstance, context: ServiceContext): void {
  app.get("/api/v1/submissions", {
    config: { verb: "list" },
    schema: {
      operationId: "list",
      summary: "Lists applications, the newest first",
      description: "Those of the namespaces that the client may see, whoever submitted them.",
      tags: ["applications"],
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          state: {
            type: "array",
            items: { type: "string" },
            description: `Phases: ${PHASES.join(", ")}; several times, or with commas, for several`,
          },
          limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "How many at most" },
          continue: { type: "string", maxLength: 1024, description: "The member continue of the page before" },
        },
      },
      response: answers({ 200: named("ApplicationPage") }),
    },
    async handler(request) {
      const query = request.query as ListQuery;
      context.audit.about(request, { namespace: query.namespace, resource: "pods" });
      const isVisible = await visibleNamespaces(context, callerOf(request), query.namespace);
      const phases = wantedPhases(query.state);
      const after = query.continue === undefined ? undefined : wantedPlace(query.continue);
      const isWanted = ({ namespace, phase }: ApplicationRecord): boolean =>
        isVisible(namespace) && (phases.size === 0 || phases.has(phase));
      const { items, next } = pageOf([...context.applications.all()].filter(isWanted), { limit: query.limit, after });
      return { items, ...(next !== undefined && { continue: next }) };
    },
  });
}

/** @throws ProblemError `invalid-request` for an unknown phase */
function wantedPhases(state: readonly string[] = []): ReadonlySet<string> {
  const wanted = state.flatMap((each) => each.split(",")).filter((each) => each !== "");
  return new Set(
    wanted.map((word) => {
      const phase = PHASES.find((each) => each.toLowerCase() === word.toLowerCase());
      if (phase !== undefined) return phase;
      throw new ProblemError("invalid-request", `query parameter state: there is no phase ${quotedName(word)}`, {
        hint: `there are ${PHASES.join(", ")}`,
      });
    }),
  );
}

/**
 * @throws ProblemError `invalid-request` for an invalid token. (If the list started again from the beginning, a client would
 * never finish.)
 */
function wantedPlace(token: string): Place {
  const place = placeOf(token);
  if (place !== undefined) return place;
  throw new ProblemError("invalid-request", "query parameter continue does not come from an earlier page", {
    hint: "pass the member continue of the previous answer unchanged; leave it out for the first page",
  });
}
