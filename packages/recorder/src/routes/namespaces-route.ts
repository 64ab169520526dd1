import type { FastifyInstance } from "fastify";
import { callerOf } from "../http/caller.ts";
import { visibleNamespaces } from "../http/visible-namespaces.ts";
import type { RecorderContext } from "./recorder-context.ts";

/** Lists the namespaces that something has been kept of, as far as the reader may read them. */
export function namespacesRoute(app: FastifyInstance, { history }: RecorderContext): void {
  app.get("/api/v1/namespaces", async (request) => {
    const mayShow = await visibleNamespaces(callerOf(request), history.namespaces);
    return { namespaces: history.namespaces.filter(mayShow).toSorted() };
  });
}
