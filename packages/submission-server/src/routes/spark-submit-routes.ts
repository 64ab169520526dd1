import type { FastifyInstance } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";
import { named } from "../schemas/schemas.ts";
import { fromArguments } from "../submissions/from-arguments.ts";
import { podOf } from "../submissions/typed-submission.ts";
import type { ServiceContext } from "./service-context.ts";
import { submitApplication } from "./submit-application.ts";

const PATH = "/api/v1/spark-submit";

interface SubmitterRequest {
  readonly submission_id: string;
  readonly spark_submit_args: readonly string[];
  readonly driver_pod_template?: object | null;
  readonly executor_pod_template?: object | null;
}

/** What the kubeflow operator requires of a REST submitter (rest_submission.go of its release 2.6): only submissions. */
export function sparkSubmitRoutes(app: FastifyInstance, context: ServiceContext): void {
  const error = named("SparkSubmitError");

  app.post(PATH, {
    config: { takesTurn: true, changes: true, verb: "submit", isSubmitterContract: true },
    schema: {
      operationId: "sparkSubmit",
      summary: "Submits as the REST submitter of the kubeflow operator",
      tags: ["kubeflow operator"],
      body: named("SparkSubmitRequest"),
      response: {
        200: named("SparkSubmitted"),
        201: named("SparkSubmitted"),
        "4xx": error,
        "5xx": error,
      },
    },
    async handler(request, reply) {
      const { clock } = context.outside;
      const { application, existed, created } = await submitApplication(context, request, () =>
        requestOf(request.body as SubmitterRequest),
      );
      void reply.code(existed ? 200 : 201);
      return {
        submission_id: (request.body as SubmitterRequest).submission_id,
        app_name: application.name,
        message: existed ? "the driver pod of this submission exists already" : "the driver pod was created",
        submitted_at: (existed ? created : undefined) ?? new Date(clock.now()).toISOString(),
        spark_app_id: application.id,
        driver_pod_name: application.driverPod,
        driver_pod_uid: application.driverPodUid,
        namespace: application.namespace,
        duplicate_submission: existed,
      };
    },
  });

  // At its start, the operator waits until this route answers.
  app.route({
    method: ["GET", "PUT", "PATCH", "DELETE"],
    url: PATH,
    config: { isOpen: true, isSubmitterContract: true },
    schema: { hide: true },
    handler(_request, reply) {
      void reply.header("allow", "POST");
      throw new ProblemError("method-not-allowed", "submissions are sent with POST");
    },
  });
}

function requestOf(body: SubmitterRequest) {
  const request = fromArguments(body.spark_submit_args);
  // Objects are named after the application, as with spark-submit; the id alone ensures that they are created only once.
  const name = request.conf?.["spark.app.name"];
  return {
    ...request,
    submissionId: body.submission_id,
    ...(name !== undefined && { resourceNamePrefix: name }),
    ...(body.driver_pod_template && { driverTemplate: podOf(body.driver_pod_template) }),
    ...(body.executor_pod_template && { executorTemplate: podOf(body.executor_pod_template) }),
  };
}
