import {
  applicationId,
  KindlingError,
  orderSteps,
  resourceNamePrefix,
  runDriverSteps,
  sparkConf,
  type Identifiers,
  type LocalFiles,
  type MainApplication,
  type Provenance,
  type SparkConf,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import {
  DRIVER_POD_TEMPLATE_CONTAINER,
  DRIVER_POD_TEMPLATE_FILE,
  driverObjects,
  initialDriverSpec,
  NAMESPACE,
  NO_RESOURCE,
  selectSteps,
  validateExecutorVolumes,
  type DriverObjects,
} from "@kindling/steps";
import { checkNames } from "./check-names.ts";
import { checkSizes } from "./check-sizes.ts";
import { withExecutorTemplate } from "./executor-template.ts";
import { planUploads, type Upload } from "./uploads.ts";

/** All that a submission depends on, gathered from arguments, files and environment. */
export interface SubmissionInput {
  readonly sparkVersion: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly mainApplication: MainApplication;
  readonly appArgs: readonly string[];
  readonly proxyUser: string | undefined;
  readonly user: string;
  readonly ids: Identifiers;
  /** Names the application's objects instead of its own name, where a submission must happen once only. */
  readonly submissionId: string | undefined;
  readonly files: LocalFiles;
  readonly env: (name: string) => string | undefined;
  readonly system: (name: string) => string | undefined;
  readonly notice: (message: string) => void;
}

/** What a submission will do: the files to copy, then the objects to create. */
export interface SubmissionPlan {
  readonly submission: Submission;
  readonly uploads: readonly Upload[];
  readonly objects: DriverObjects;
  readonly provenance: Provenance;
}

/**
 * Works out what a submission will create, without touching anything.
 *
 * @param contributed steps from outside, which run behind the built-in ones
 */
export function planSubmission(input: SubmissionInput, contributed: readonly Step[]): SubmissionPlan {
  const { files, notice } = input;
  const { submission: asked, uploads } = makeSubmission(input);
  const submission = withExecutorTemplate(asked, contributed, (entries) => confOf({ ...input, entries }));
  const { conf } = submission;
  // As Spark does, so that a fault shows here and not when the running driver asks for its first executor.
  validateExecutorVolumes(conf);
  const steps = orderSteps(selectSteps(conf, "driver"), contributed);

  const templateFile = conf.get(DRIVER_POD_TEMPLATE_FILE);
  const origin = `${DRIVER_POD_TEMPLATE_FILE.key}: ${templateFile ?? ""}`;
  const template =
    templateFile === undefined
      ? undefined
      : {
          content: files.readYaml(templateFile, origin),
          origin,
          containerName: conf.get(DRIVER_POD_TEMPLATE_CONTAINER),
        };
  const { spec, provenance } = runDriverSteps(
    initialDriverSpec(withoutOwnKeys(conf), template, notice),
    submission,
    steps,
  );
  const objects = driverObjects(spec, submission);
  checkNames(submission, objects);
  checkSizes(objects);
  return { submission: asked, uploads, objects, provenance };
}

type SubmissionNames = Pick<Submission, "appId" | "appName" | "namespace" | "resourceNamePrefix">;

/** What the objects of a submission are called by. */
export function submissionNames(input: SubmissionInput): SubmissionNames {
  const { ids, submissionId } = input;
  const conf = confOf(input);
  const appName = conf.raw("spark.app.name") ?? "spark";
  return {
    appId: applicationId(ids.uuid("application")),
    appName,
    namespace: conf.get(NAMESPACE),
    resourceNamePrefix: resourceNamePrefix(
      submissionId?.slice(0, LONGEST_ID_IN_NAMES) ?? appName,
      ids.uniqueId("resource-names"),
    ),
  };
}

/** The configuration of a submission. */
export function confOf({ sparkVersion, entries, env, system }: SubmissionInput): SparkConf {
  return sparkConf(entries, { sparkVersion, env, system });
}

// Names may have 253 characters, of which suffixes need some fifty, and in lower case a text can be twice as long. The
// unique id beside it is made of the whole submission id.
const LONGEST_ID_IN_NAMES = 100;

function makeSubmission(input: SubmissionInput): { submission: Submission; uploads: readonly Upload[] } {
  const { sparkVersion, mainApplication, appArgs, proxyUser, user, ids, files, env, notice } = input;
  const conf = confOf(input);
  const uploads = planUploads(conf, ids);
  return {
    uploads: uploads.planned,
    submission: {
      ...submissionNames(input),
      sparkVersion,
      conf,
      mainApplication,
      appArgs,
      proxyUser,
      user,
      env,
      ids,
      files,
      uploads,
      notice,
    },
  };
}

/** Keys of Kindling's own are for the submission; the driver would only warn about them. */
function withoutOwnKeys(conf: SparkConf): Record<string, string> {
  return Object.fromEntries(Object.entries(conf.entries).filter(([key]) => !key.startsWith("spark.kindling.")));
}

/** What kind of application a resource is: by its name, as spark-submit decides. */
export function mainApplicationOf(resource: string, mainClass: string | undefined): MainApplication {
  if (resource.endsWith(".py"))
    return { language: "python", resource, mainClass: "org.apache.spark.deploy.PythonRunner" };
  if (/\.[rR]$/.test(resource)) return { language: "r", resource, mainClass: "org.apache.spark.deploy.RRunner" };
  if (mainClass === undefined) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${resource}: its main class is unknown; please specify one with --class`,
    );
  }
  return { language: "java", resource: resource === NO_RESOURCE ? undefined : resource, mainClass };
}
