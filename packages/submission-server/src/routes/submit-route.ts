import type { FastifyInstance } from "fastify";
import { answers, named } from "../schemas/schemas.ts";
import { fromTyped, type TypedSubmission } from "../submissions/typed-submission.ts";
import type { ServiceContext } from "./service-context.ts";
import { submitApplication } from "./submit-application.ts";

/** `POST /api/v1/submissions`. */
export function submitRoute(app: FastifyInstance, context: ServiceContext): void {
  app.post("/api/v1/submissions", {
    config: { takesTurn: true, changes: true, verb: "submit" },
    schema: {
      operationId: "submit",
      summary: "Submits an application",
      description:
        "Answers when the driver pod is there, with all that belongs to it. With a submissionId it may be sent again whenever no " +
        "answer came: there will be one application.",
      tags: ["submissions"],
      body: named("SubmissionRequest"),
      // There are no query parameters: a client that sends one, for example for a dry run, would not get what it expects.
      querystring: { type: "object", additionalProperties: false, properties: {} },
      response: answers({ 200: named("Submission"), 201: named("Submission") }),
    },
    async handler(request, reply) {
      const { application, submissionId, existed, notices } = await submitApplication(context, request, () =>
        fromTyped(request.body as TypedSubmission),
      );
      const { submissionId: id, namespace, name, id: applicationId, driverPod, driverPodUid } = application;
      void reply.code(existed ? 200 : 201).header("location", `/api/v1/submissions/${encodeURIComponent(id)}`);
      return { id, submissionId, applicationId, name, namespace, driverPod, driverPodUid, existed, notices };
    },
  });
}
