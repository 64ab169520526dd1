import type { FastifyInstance } from "fastify";
import { callerOf } from "../http/caller.ts";
import { visibleNamespaces } from "../http/visible-namespaces.ts";
import type { RecorderContext } from "./recorder-context.ts";
import { cursorText, historyQuery, RUN_QUERY, type RunQuery } from "./run-query.ts";

interface ListQuery extends RunQuery {
  readonly limit: number;
}

/** Lists runs in pages, those first that ended last. */
export function runsRoute(app: FastifyInstance, { history }: RecorderContext): void {
  app.get("/api/v1/runs", {
    schema: {
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          ...RUN_QUERY,
          limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
          continue: { type: "string", maxLength: 512 },
        },
      },
    },
    async handler(request) {
      const query = request.query as ListQuery;
      const mayShow = await visibleNamespaces(callerOf(request), history.namespaces, query.namespace);
      const { runs, hasMore } = history.find(historyQuery(query, mayShow), query.limit);
      const last = runs.at(-1);
      return { runs, ...(hasMore && last !== undefined && { continue: cursorText(last) }) };
    },
  });
}
