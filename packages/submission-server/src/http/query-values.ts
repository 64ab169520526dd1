import type { FastifyInstance } from "fastify";

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/**
 * Converts query parameters, which are texts, to the types in a route's schema. A text that does not fit its type stays
 * unchanged, and is refused. Bodies are not converted: JSON has types of its own.
 */
export function readQueries(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as QuerySchema;
    const query = request.query as Record<string, unknown>;
    for (const [name, { type }] of Object.entries(properties))
      if (Object.hasOwn(query, name)) query[name] = valueOf(query[name], type);
    done();
  });
}

function valueOf(given: unknown, type: string | undefined): unknown {
  if (type === "array") return Array.isArray(given) ? given : [given];
  if (typeof given !== "string") return given;
  if (type === "integer" && /^-?\d{1,15}$/.test(given)) return Number(given);
  if (type === "boolean" && (given === "true" || given === "false")) return given === "true";
  return given;
}
