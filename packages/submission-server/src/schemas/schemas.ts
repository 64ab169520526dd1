/*
 * JSON schemas of the API's requests and answers: routes validate and serialize with them, and `/openapi.json` shows them.
 * They limit sizes before a document is processed; Spark's own rules are checked when a submission is planned.
 */

import { PHASES } from "../applications/application-record.ts";

export type Schema = Readonly<Record<string, unknown>>;

const word = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
const count = (description: string): Schema => ({ type: "integer", description });
const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const ref = ($id: string): Schema => ({ $ref: `${$id}#` });
const uris = (description: string): Schema => ({
  type: "array",
  maxItems: 10_000,
  items: { type: "string", minLength: 1 },
  description: `${description}: URIs that driver and executors can reach themselves, such as local:, s3a: or https:`,
});
const podTemplate = (whose: string, starts = "starts"): Schema => ({
  type: "object",
  additionalProperties: true,
  description: `The pod that the ${whose} ${starts} from: metadata and spec, as in a pod template file`,
});

export const namespaceSchema: Schema = word("A namespace", { minLength: 1, maxLength: 63 });

const submissionId = word(
  "Names the submission: the same id in the same namespace again gives the application that is there. Letters, digits, " +
    "'.', '_' and '-', with a letter or a digit at both ends",
  {
    minLength: 1,
    maxLength: 63,
    pattern: "^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$",
  },
);

const submissionRequest: Schema = {
  $id: "SubmissionRequest",
  type: "object",
  additionalProperties: false,
  description: "An application, either member by member or as spark-submit's arguments",
  properties: {
    application: {
      type: "object",
      additionalProperties: false,
      required: ["resource"],
      properties: {
        resource: word("The jar, the Python or the R file, as a URI; or spark-internal for a class of the image", {
          minLength: 1,
        }),
        mainClass: word("Of JVM applications"),
        arguments: { type: "array", maxItems: 100_000, items: { type: "string" } },
      },
    },
    sparkSubmitArgs: {
      type: "array",
      maxItems: 100_000,
      items: { type: "string" },
      description: "What would follow the command spark-submit, word by word; --master may be left out",
    },
    submissionId,
    namespace: namespaceSchema,
    name: word("spark.app.name"),
    sparkVersion: word("Whose behaviour is wanted; by default that of the image's tag"),
    proxyUser: word("--proxy-user"),
    conf: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Spark's configuration. Values are texts, numbers too",
    },
    jars: uris("spark.jars"),
    files: uris("spark.files"),
    archives: uris("spark.archives"),
    pyFiles: uris("spark.submit.pyFiles"),
    driverTemplate: podTemplate("driver"),
    executorTemplate: podTemplate("executors", "start"),
  },
};

const submission: Schema = {
  $id: "Submission",
  type: "object",
  description: "An application that was submitted",
  required: ["id", "applicationId", "name", "namespace", "driverPod", "driverPodUid", "existed", "notices"],
  properties: {
    id: word("NAMESPACE:DRIVER-POD, which names the application from now on"),
    submissionId: word("As it was given"),
    applicationId: word("spark.app.id"),
    name: word("spark.app.name"),
    namespace: word("Where it is"),
    driverPod: word("The driver pod's name"),
    driverPodUid: word("The driver pod's uid"),
    existed: { type: "boolean", description: "Whether an earlier submission of the same id had made it" },
    notices: { type: "array", items: { type: "string" }, description: "What is worth knowing and is no error" },
  },
};

const applicationProperties: Schema = {
  id: word("NAMESPACE:DRIVER-POD"),
  namespace: word("Where it is"),
  driverPod: word("The driver pod's name"),
  driverPodUid: word("The driver pod's uid"),
  applicationId: word("spark.app.id"),
  name: word("The application's name as far as a label can hold it"),
  sparkVersion: word("The Spark that was wanted"),
  submissionId: word("The id under which it was submitted through this service"),
  phase: word("How it is; Terminating for a driver that is being ended", { enum: PHASES }),
  reason: word("Why it is in its phase, where the cluster says so"),
  message: word("The same in more words"),
  node: word("Where the driver is"),
  created: time("When the driver pod was made"),
  started: time("When a kubelet took it"),
  finished: time("When the driver ended"),
  exitCode: count("How the driver ended"),
};

const application: Schema = {
  $id: "Application",
  type: "object",
  description: "An application that is in the cluster, whoever submitted it",
  required: ["id", "namespace", "driverPod", "driverPodUid", "phase"],
  properties: applicationProperties,
};

const finding: Schema = {
  type: "object",
  description: "Something that keeps the application from going on, or ended it",
  properties: {
    cause: word("Which kind of thing"),
    severity: word("failure: it ended the application; obstacle: the application waits for it", {
      enum: ["failure", "obstacle"],
    }),
    word: word("Kubernetes' own word for it"),
    role: word("Whether it is about the driver or executors"),
    pods: { type: "array", items: { type: "string" } },
    container: { type: "string" },
    summary: word("What is wrong"),
    details: { type: "array", items: { type: "string" }, description: "What shows it" },
    advice: word("What would help"),
    times: count("How often it happened"),
    since: time("Since when"),
  },
};

const report: Schema = {
  $id: "ApplicationReport",
  type: "object",
  description: "All that can be told of one application",
  required: ["id", "namespace", "driverPod", "driverPodUid", "phase"],
  properties: {
    ...applicationProperties,
    state: word("The phase, or what keeps the application from going on, in a few words"),
    image: word("The image of the container that runs Spark"),
    executors: {
      type: "object",
      description: "Executor pods",
      properties: { running: count("That run"), total: count("That are there") },
    },
    findings: {
      type: "array",
      items: finding,
      description: "Why it waits or failed; for clients that may read the driver's log, of which it may quote",
    },
    configuration: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "What the driver was started with, without secrets; for the same clients",
    },
  },
};

const page: Schema = {
  $id: "ApplicationPage",
  type: "object",
  description: "Some of the applications, the newest first",
  required: ["items"],
  properties: {
    items: { type: "array", items: ref("Application"), description: "The newest first" },
    continue: word("Where the next page begins; absent on the last"),
  },
};

const killed: Schema = {
  $id: "Killed",
  type: "object",
  description: "The application is being ended",
  required: ["id"],
  properties: { id: word("NAMESPACE:DRIVER-POD of the driver that was asked to end") },
};

const problem: Schema = {
  $id: "Problem",
  type: "object",
  description: "Why a request was not carried out (RFC 9457)",
  required: ["type", "title", "status", "detail"],
  properties: {
    type: word("Which problem: docs/errors.md has them all"),
    title: word("The problem in general"),
    status: count("The HTTP status"),
    detail: word("What was wrong here"),
    code: word("The code of the error behind it: docs/errors.md"),
    hint: word("What helps"),
  },
};

const sparkSubmitRequest: Schema = {
  $id: "SparkSubmitRequest",
  type: "object",
  required: ["submission_id", "spark_submit_args"],
  properties: {
    submission_id: { type: "string", minLength: 1, maxLength: 128 },
    spark_submit_args: { type: "array", maxItems: 100_000, items: { type: "string" } },
    driver_pod_template: { type: ["object", "null"], additionalProperties: true },
    executor_pod_template: { type: ["object", "null"], additionalProperties: true },
  },
};

const sparkSubmitted: Schema = {
  // Not SparkSubmitResponse: generated clients use that name for the answer of the operation sparkSubmit.
  $id: "SparkSubmitted",
  type: "object",
  description: "An application that was submitted",
  properties: {
    submission_id: { type: "string" },
    app_name: { type: "string" },
    message: { type: "string" },
    submitted_at: { type: "string" },
    spark_app_id: { type: "string" },
    driver_pod_name: { type: "string" },
    driver_pod_uid: { type: "string" },
    namespace: { type: "string" },
    duplicate_submission: { type: "boolean" },
  },
};

const sparkSubmitError: Schema = {
  $id: "SparkSubmitError",
  type: "object",
  description: "Why a submission was not carried out",
  properties: {
    submission_id: { type: "string" },
    status: { type: "integer" },
    error_code: { type: "string" },
    message: { type: "string" },
    timestamp: { type: "string" },
  },
};

/** The schemas that routes refer to by their `$id`. */
export const NAMED_SCHEMAS: readonly Schema[] = [
  ...[submissionRequest, submission, application, report, page, killed, problem],
  ...[sparkSubmitRequest, sparkSubmitted, sparkSubmitError],
];

export const named: (id: string) => Schema = ref;

/** The answers of a route: its own, and a problem for all errors. */
export function answers(own: Readonly<Record<number, Schema>>): Schema {
  return { ...own, "4xx": problemAnswer("the request was refused"), "5xx": problemAnswer("the request failed") };
}

/** For a route that answers with a stream of text, not with a document. */
export function textAnswers(type: string, description: string): Schema {
  return answers({ 200: { description, content: { [type]: { schema: { type: "string" } } } } });
}

function problemAnswer(description: string): Schema {
  return { description, content: { "application/problem+json": { schema: ref("Problem") } } };
}
