import { quotedName } from "@kindling/core-spec";
import { podState } from "@kindling/diagnosis";
import { applicationReport, clusterError, GRACE_PERIOD, killApplication } from "@kindling/submit";
import type { FastifyInstance } from "fastify";
import { type ApplicationRecord, PHASES, recordOf } from "../applications/application-record.ts";
import { pageOf, type Place, placeOf } from "../applications/pages.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { adviceInWords } from "../errors/words-of-http.ts";
import { callerOf, demand } from "../http/caller.ts";
import { answers, named, namespaceSchema } from "../http/schemas.ts";
import { driverPodOf, knownApplication, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";
import { visibleNamespaces } from "./visible-namespaces.ts";

export const ID_PARAMS: object = {
  type: "object",
  required: ["id"],
  properties: {
    id: {
      type: "string",
      minLength: 1,
      maxLength: 320,
      description:
        "NAMESPACE:DRIVER-POD; or, with the namespace before it or beside it, a submission id or an application id",
    },
  },
};

interface IdParams {
  readonly id: string;
}

/** Reading and deleting existing applications. */
export function applicationRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { client, applications, gates, outside, log } = context;

  app.get("/api/v1/submissions", {
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
      const isVisible = await visibleNamespaces(context, callerOf(request), query.namespace);
      const phases = wantedPhases(query.state);
      const after = query.continue === undefined ? undefined : wantedPlace(query.continue);
      const isWanted = ({ namespace, phase }: ApplicationRecord): boolean =>
        isVisible(namespace) && (phases.size === 0 || phases.has(phase));
      const { items, next } = pageOf([...applications.all()].filter(isWanted), { limit: query.limit, after });
      return { items, ...(next !== undefined && { continue: next }) };
    },
  });

  app.get("/api/v1/submissions/:id", {
    schema: {
      operationId: "status",
      summary: "Tells how an application is, and why",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          diagnosis: {
            type: "boolean",
            default: true,
            description: "Whether pods, events and log are looked at; without it the answer is what a list says of it",
          },
        },
      },
      response: answers({ 200: named("ApplicationReport") }),
    },
    async handler(request) {
      const { namespace, diagnosis } = request.query as { namespace?: string; diagnosis: boolean };
      const wanted = wantedApplication(context, (request.params as IdParams).id, namespace);
      const caller = callerOf(request);
      await demand(caller, "view", wanted.namespace);
      const known = knownApplication(context, wanted);
      if (!diagnosis && known !== undefined) return known;
      const leave = gates.reports.enter(caller.subject);
      try {
        const pod = await driverPodOf(context, wanted);
        if (!diagnosis) return recordOf(pod);
        const report = await applicationReport(client, pod, { now: outside.clock.now() });
        const { state, image, executors } = report;
        // A problem may be described in words of the driver's log.
        const mayRead = (await caller.may("log", wanted.namespace)).allowed;
        const told = mayRead && {
          findings: report.diagnosis.findings.map(adviceInWords),
          configuration: report.configuration,
        };
        return { ...recordOf(pod), state, image, executors, ...told };
      } catch (error) {
        throw clusterError(error);
      } finally {
        leave();
      }
    },
  });

  app.delete("/api/v1/submissions/:id", {
    schema: {
      operationId: "kill",
      summary: "Ends an application",
      description: "Deletes the driver pod; what belongs to it goes with it. Answers before it is gone.",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          gracePeriodSeconds: {
            type: "integer",
            minimum: 0,
            maximum: 86_400,
            description: `How long the driver has to end by itself, as ${GRACE_PERIOD.key} says for spark-submit`,
          },
        },
      },
      response: answers({ 202: named("Killed") }),
    },
    async handler(request, reply) {
      const query = request.query as { namespace?: string; gracePeriodSeconds?: number };
      const wanted = wantedApplication(context, (request.params as IdParams).id, query.namespace);
      const caller = callerOf(request);
      await demand(caller, "kill", wanted.namespace);
      try {
        const driver = podState(await driverPodOf(context, wanted));
        await killApplication(client, driver, query.gracePeriodSeconds);
        const { namespace, name: driverPod } = driver;
        log.info("application ended", { request: request.id, subject: caller.subject, namespace, driverPod });
        void reply.code(202);
        return { id: `${namespace}:${driverPod}` };
      } catch (error) {
        throw clusterError(error);
      }
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
 * @throws ProblemError `invalid-request` for an invalid token: starting again from the beginning, a client would never finish
 */
function wantedPlace(token: string): Place {
  const place = placeOf(token);
  if (place !== undefined) return place;
  throw new ProblemError("invalid-request", "query parameter continue does not come from an earlier page", {
    hint: "pass the member continue of the previous answer unchanged; leave it out for the first page",
  });
}

interface ListQuery {
  readonly namespace?: string;
  readonly state?: readonly string[];
  readonly limit: number;
  readonly continue?: string;
}
