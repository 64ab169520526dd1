import {
  createRedactor,
  KindlingError,
  REDACTED,
  splitList,
  type ConfigurationRequest,
  type Step,
  type SubmitRequest,
} from "@kindling/core-spec";
import type { ClusterAccess } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { isSealed } from "@kindling/steps";
import { STEPS } from "../keys/steps-key.ts";
import { Notices } from "../notices.ts";
import { seedOf } from "../plan/identifiers.ts";
import { confOf, type ConfigurationData, type PlanInput } from "../plan/plan-input.ts";
import type { Access } from "../access.ts";
import { secretsIn } from "../secrets/redact.ts";
import { refuseFilesOf } from "./access.ts";
import { gatherSubmitted } from "./gather-submitted.ts";
import { configure, type Configuration } from "./configuration/configure.ts";
import { deploymentOf, unsupportedHere } from "./configuration/deployment.ts";
import { typographicMarks } from "./configuration/typographic.ts";
import { unknownKeys } from "./configuration/unknown-keys.ts";
import { foreignSizes } from "./configuration/value-hint.ts";
import { gatherFiles } from "./files/gather-files.ts";
import type { fetchTokens as FetchTokens } from "./kerberos/fetch-tokens.ts";
import type { Gathering, GatherOptions } from "./gathering.ts";
import type { Installation } from "./installation/installation.ts";
import { checkQueue } from "./installation/queue-offered.ts";
import { gatherPlace } from "./gather-place.ts";
import { sealMaterial } from "./seal-material.ts";
import { gatherStaging } from "./staging/gather-staging.ts";
import type { StagingAccess } from "./staging/staging-access.ts";

/** Everything that a submission depends on. */
export interface Gathered {
  /** What the plan is made of. */
  readonly input: PlanInput;
  /** Steps from outside: those of the request, then those that the configuration names. */
  readonly steps: readonly Step[];
  /** How to reach the API server, if the caller has no connection. */
  readonly cluster: ClusterAccess | undefined;
  /** The installation of Kindling that serves the application, with only the entries that have an effect. */
  readonly installation: Installation | undefined;
  /** How to reach the staging server, if files of this machine have to be staged. */
  readonly staging: StagingAccess | undefined;
}

/**
 * Gathers all that a submission depends on. This is the one place that reads disk, environment, kubeconfig, clock and
 * randomness.
 *
 * @throws KindlingError; `noticesOf` gives the notices that were found before
 */
export function gather(
  request: SubmitRequest,
  outside: Outside,
  access: Access,
  options: GatherOptions = {},
): Promise<Gathered> {
  return gatherConfigured(configure(request, outside, access), request, outside, access, options);
}

/** The same for a configuration that exists already. */
export async function gatherConfigured(
  configuration: Configuration,
  request: ConfigurationRequest,
  outside: Outside,
  access: Access,
  options: GatherOptions = {},
): Promise<Gathered> {
  const notices = new Notices(configuration.notices);
  try {
    const { connection = { kind: "kubeconfig" }, tell = () => {}, signal, ...others } = options;
    const secrets = others.secrets ?? createRedactor(REDACTED);
    const means = { connection, tell, signal, secrets, options: others };
    return await gatherAll(configuration, { request, outside, access, notices, ...means });
  } catch (error) {
    notices.leaveWith(error);
    throw error;
  }
}

async function gatherAll(given: Configuration, gathering: Gathering): Promise<Gathered> {
  const { request, outside, access, notices } = gathering;
  for (const remark of [...typographicMarks(given), ...foreignSizes(given.entries)]) notices.add(remark);
  for (const secret of secretsIn(given.entries)) gathering.secrets.hide(secret);
  const deployment = deploymentOf(given);
  if (deployment.kind === "spark-submit") throw unsupportedHere(deployment.reason);
  refuseEmptyId(request);
  const place = await gatherPlace(given, deployment.server, gathering);
  const { cluster, installation } = place;
  const { data, mainApplication, user, login } = await gatherSubmitted(place, gathering);
  const conf = confOf(data);
  const remark = checkQueue(installation, conf);
  if (remark !== undefined) notices.add(remark);
  const steps = [...(request.steps ?? []), ...(await namedSteps(data.entries, outside.cwd, access))];
  for (const remark of await unknownKeys(given.entries, steps)) notices.add(remark);
  if (access === "nothing") refuseFilesOf(steps, conf);
  const { env } = given;
  const { staging, readCa } = await gatherStaging(conf, mainApplication, { env, installation }, gathering);
  const files =
    access === "nothing"
      ? { cwd: "/", byPath: {} }
      : gatherFiles({ conf, env, mainApplication, steps }, outside.cwd, outside.clock);
  const stagingCa = readCa();
  // Last, because a token that is not used stays valid for a day.
  const delegationTokens = login && (await tokensOf(login, conf, env, gathering));
  const input = {
    ...requestInput(gathering),
    ...data,
    mainApplication,
    proxyUser: given.proxyUser,
    user,
    files,
    stagingCa,
    delegationTokens,
    seal: isSealed(conf) ? await sealMaterial(conf, outside) : undefined,
    notices: notices.all,
  };
  return { steps, cluster, installation, staging, input };
}

async function tokensOf(...given: Parameters<typeof FetchTokens>): ReturnType<typeof FetchTokens> {
  const { fetchTokens } = await import("./kerberos/fetch-tokens.ts");
  return fetchTokens(...given);
}

/** An empty id, for example from an unset variable, would make one application of all submissions that have it. */
function refuseEmptyId({ submissionId }: Pick<SubmitRequest, "submissionId">): void {
  if (submissionId?.trim() === "") throw new KindlingError("ARGUMENT_INVALID", "--submission-id: the id is empty");
}

async function namedSteps(entries: ConfigurationData["entries"], cwd: string, access: Access): Promise<Step[]> {
  if (access === "nothing" || entries[STEPS.key] === undefined) return [];
  const { loadSteps } = await import("@kindling/steps/modules");
  return loadSteps(splitList(entries[STEPS.key] ?? ""), cwd, "--steps");
}

/** The part of a plan's input that comes from the request. */
function requestInput({
  request,
  outside,
  access,
}: Gathering): Pick<
  PlanInput,
  "appArgs" | "seed" | "submissionId" | "resourceNamePrefix" | "templates" | "sparkContainer" | "access"
> {
  return {
    appArgs: request.application?.arguments ?? [],
    seed:
      request.submissionId === undefined
        ? { bytes: outside.random.bytes(32), epochMillis: outside.clock.now() }
        : seedOf(request.submissionId),
    submissionId: request.submissionId,
    resourceNamePrefix: request.resourceNamePrefix,
    templates: {
      ...(typeof request.driverTemplate === "object" && { driver: request.driverTemplate }),
      ...(typeof request.executorTemplate === "object" && { executor: request.executorTemplate }),
    },
    sparkContainer: request.sparkContainer ?? "last",
    access,
  };
}
