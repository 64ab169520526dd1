import {
  applicationId,
  resourceNamePrefix,
  type FileUploads,
  type Identifiers,
  type LocalFiles,
  type SparkConf,
  type Submission,
} from "@kindling/core-spec";
import { NAMESPACE } from "@kindling/steps";
import { APPLICATION_PURPOSE, seededIdentifiers, seedOf } from "./identifiers.ts";
import { confOf, type PlanInput } from "./plan-input.ts";

/** What steps can read besides plain data. */
export interface SubmissionReaders {
  readonly files: LocalFiles;
  readonly uploads: FileUploads;
  readonly notice: (message: string) => void;
}

/** The submission as steps see it. */
export function makeSubmission(input: PlanInput, readers: SubmissionReaders): Submission {
  const { sparkVersion, mainApplication, appArgs, proxyUser, user, env, seed, delegationTokens } = input;
  const ids = seededIdentifiers(seed);
  const conf = confOf(input);
  const appName = appNameOf(conf);
  return {
    sparkVersion,
    conf,
    appId: applicationId(ids.uuid(APPLICATION_PURPOSE)),
    appName,
    namespace: conf.get(NAMESPACE),
    resourceNamePrefix: prefixOf(input, appName, ids),
    mainApplication,
    appArgs,
    proxyUser,
    user,
    env,
    ids,
    delegationTokens,
    ...readers,
  };
}

/** The prefix of the names of a submission's objects. */
export function objectNamePrefix(input: PlanInput): string {
  return prefixOf(input, appNameOf(confOf(input)), seededIdentifiers(input.seed));
}

/**
 * The same for a submission with this id and no prefix of its own: the id is enough to find its objects, unless the
 * configuration names them.
 */
export function prefixOfSubmission(submissionId: string): string {
  return prefixOf({ submissionId, resourceNamePrefix: undefined }, "", seededIdentifiers(seedOf(submissionId)));
}

function appNameOf(conf: SparkConf): string {
  return conf.raw("spark.app.name") ?? "spark";
}

function prefixOf(input: GivenNames, appName: string, ids: Identifiers): string {
  return resourceNamePrefix(nameOfObjects(input) ?? appName, ids.uniqueId("resource-names"));
}

// Names may have 253 characters. Suffixes need about fifty, and in lower case a text can be twice as long. The unique id in
// the name is made of the whole submission id.
const LONGEST_GIVEN_NAME = 100;

type GivenNames = Pick<PlanInput, "resourceNamePrefix" | "submissionId">;

/** The name of objects instead of the application's name. */
function nameOfObjects({ resourceNamePrefix: prefix, submissionId }: GivenNames): string | undefined {
  return (prefix ?? submissionId)?.slice(0, LONGEST_GIVEN_NAME);
}
