import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** The paths that are served. */
export interface KnownPaths {
  /**
   * Refuses a request without a route. If only the method is wrong, the answer names the allowed methods.
   *
   * @throws ProblemError `method-not-allowed`, `not-found`
   */
  refuse(request: FastifyRequest, reply: FastifyReply): never;
}

/** Remembers the routes that are registered from now on. */
export function knownPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, KnownPath>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    paths.set(url, known);
    for (const each of [method].flat()) known.methods.add(each);
  });
  return {
    refuse({ method, url }, reply) {
      const [path = ""] = url.split("?");
      const known = [...paths.values()].find(({ pattern }) => pattern.test(path));
      if (known === undefined)
        throw new ProblemError("not-found", "nothing is served at this path", {
          hint: "GET /openapi.json describes what is served",
        });
      const allow = [...known.methods].join(", ");
      void reply.header("allow", allow);
      throw new ProblemError("method-not-allowed", `${method} is not for this path`, { hint: `there are ${allow}` });
    },
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part.replaceAll(".", "\\.")));
  return new RegExp(`^${parts.join("/")}$`);
}
