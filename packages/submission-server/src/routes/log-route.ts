import { applicationLog } from "@kindling/submit";
import type { FastifyInstance } from "fastify";
import { callerOf, demand } from "../http/caller.ts";
import { openStream } from "../http/open-stream.ts";
import { namespaceSchema, textAnswers } from "../schemas/schemas.ts";
import { ID_PARAMS, type IdParams } from "./application-id.ts";
import { driverPodOf, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";
import { mayIn, refuseAsCluster, streaming } from "./streaming.ts";

interface LogQuery {
  readonly namespace?: string;
  readonly follow: boolean;
  readonly executor?: string;
  readonly container?: string;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly timestamps: boolean;
}

/** The log of a driver or an executor, which continues as long as its reader wants. */
export function logRoute(app: FastifyInstance, context: ServiceContext): void {
  const { client, outside } = context;

  app.get("/api/v1/submissions/:id/log", {
    config: { verb: "log" },
    schema: {
      operationId: "log",
      summary: "The log of the driver, or of an executor",
      description:
        "Of a container that has not started there is no log: that is 409, `not-started`, unless it is followed.",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          follow: {
            type: "boolean",
            default: false,
            description: "Goes on until the container ends; one that has not begun is waited for",
          },
          executor: { type: "string", maxLength: 63, description: "An executor's id, for its log" },
          container: { type: "string", maxLength: 63, description: "Another container than Spark's" },
          tailLines: { type: "integer", minimum: 0, maximum: 1_000_000, description: "So many lines of its end" },
          sinceSeconds: { type: "integer", minimum: 1, description: "What was written in the last so many seconds" },
          timestamps: { type: "boolean", default: false, description: "Puts the time before each line" },
        },
      },
      response: textAnswers("text/plain", "The log, a line of it as a line"),
    },
    async handler(request, reply) {
      const { namespace, ...options } = request.query as LogQuery;
      const wanted = wantedApplication(context, (request.params as IdParams).id, namespace);
      context.audit.about(request, { namespace: wanted.namespace, resource: "pods", name: wanted.name });
      await demand(callerOf(request), "log", wanted.namespace);
      const pod = await driverPodOf(context, wanted).catch(refuseAsCluster);
      void reply.type("text/plain; charset=utf-8");
      // A reader that follows may wait long for the first line.
      const how = { ...streaming(context), waitsForFirst: !options.follow, isAllowed: mayIn("log", wanted.namespace) };
      return await openStream(request, reply, how, (signal) =>
        linesOf(
          applicationLog(client, pod, { ...options, signal, outside, howToWait: "follow=true", tell: () => undefined }),
        ),
      );
    },
  });
}

async function* linesOf(lines: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  try {
    for await (const line of lines) yield `${line}\n`;
  } catch (error) {
    refuseAsCluster(error);
  }
}
