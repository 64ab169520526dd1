import {
  createRedactor,
  KindlingError,
  REDACTED,
  sparkVersionOf,
  splitList,
  type ConfigurationRequest,
  type MainApplication,
  type Redactor,
  type SparkConf,
  type Step,
  type SubmitRequest,
} from "@kindling/core-spec";
import type { ClusterAccess } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { isSubmitterLocal, NO_RESOURCE } from "@kindling/steps";
import { STAGING_URI } from "../keys/staging-keys.ts";
import { STEPS } from "../keys/steps-key.ts";
import { PACKAGES } from "../keys/packages-keys.ts";
import { Notices } from "../notices.ts";
import { seedOf } from "../plan/identifiers.ts";
import { mainApplicationOf } from "../plan/main-application.ts";
import { confOf, type ConfigurationData, type PlanInput } from "../plan/plan-input.ts";
import { resolveSparkVersion } from "../plan/spark-version.ts";
import type { Access } from "../access.ts";
import { secretsIn } from "../secrets/redact.ts";
import { refuseFilesOf, URI_LIST_KEYS } from "./access.ts";
import { applicationClass } from "./application/application-class.ts";
import { configure, type Configuration } from "./configuration/configure.ts";
import { deploymentOf, unsupportedHere } from "./configuration/deployment.ts";
import { checkJavaOptions } from "./configuration/java-options.ts";
import { referencedDefaults } from "./configuration/referenced-defaults.ts";
import { typographicMarks } from "./configuration/typographic.ts";
import { foreignSizes } from "./configuration/value-hint.ts";
import { unknownKeys } from "./configuration/unknown-keys.ts";
import { submittedEntries } from "./configuration/submitted-entries.ts";
import { gatherFiles } from "./files/gather-files.ts";
import { kerberosEntries } from "./kerberos.ts";
import { withContextNamespace } from "./kubeconfig/context-namespace.ts";
import { gatherCluster, type Connection } from "./kubeconfig/gather-cluster.ts";
import { installationNotice, type FindInstallation } from "./installation/find-installation.ts";
import { gatherInstallation, type ConnectCluster } from "./installation/gather-installation.ts";
import type { Installation } from "./installation/installation.ts";
import { checkQueue } from "./installation/queue-offered.ts";
import { isStagingServer } from "./installation/with-installation.ts";
import type { WithPackagesOptions } from "./packages/with-packages.ts";
import type { StagingAccess } from "./staging/staging-access.ts";
import { systemProperties, systemPropertiesOf } from "./system-properties.ts";
import { hadoopUser, IMAGE_USER, sparkUser } from "./user.ts";

/** All that a submission depends on. */
export interface Gathered {
  /** What the plan is made of. */
  readonly input: PlanInput;
  /** Steps from outside: those of the request, then those that the configuration names. */
  readonly steps: readonly Step[];
  /** How to reach the API server, where the caller has no connection. */
  readonly cluster: ClusterAccess | undefined;
  /** The installation of Kindling that serves the application, with those of its entries that have an effect. */
  readonly installation: Installation | undefined;
  /** How to reach the staging server, where there are files of this machine to be staged. */
  readonly staging: StagingAccess | undefined;
}

export interface GatherOptions {
  /** How the API server will be reached. Default: as the kubeconfig says. */
  readonly connection?: Connection;
  /** How an installation is looked for. Default: in the cluster, each time; `cachedInstallations` remembers it. */
  readonly installations?: FindInstallation | undefined;
  /**
   * Makes the client that the installation is looked for with, where the connection is no client; whoever gathers closes
   * it. Default: one that gathering closes.
   */
  readonly connectCluster?: ConnectCluster | undefined;
  /** Told, in one line, what is waited for: a credential plug-in, the resolution of packages. */
  readonly tell?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Learns what may not be shown. */
  readonly secrets?: Redactor;
}

/**
 * Gathers all that a submission depends on: the one place that reads disk, environment, kubeconfig, clock and randomness.
 *
 * @throws KindlingError; `noticesOf` tells what was worth knowing before
 */
export function gather(
  request: SubmitRequest,
  outside: Outside,
  access: Access,
  options: GatherOptions = {},
): Promise<Gathered> {
  return gatherConfigured(configure(request, outside, access), request, outside, access, options);
}

/** The same for a configuration that is there already. */
export async function gatherConfigured(
  configuration: Configuration,
  request: ConfigurationRequest,
  outside: Outside,
  access: Access,
  options: GatherOptions = {},
): Promise<Gathered> {
  const notices = new Notices(configuration.notices);
  try {
    return await gatherAll(configuration, request, outside, access, notices, options);
  } catch (error) {
    notices.leaveWith(error);
    throw error;
  }
}

async function gatherAll(
  given: Configuration,
  request: ConfigurationRequest,
  outside: Outside,
  access: Access,
  notices: Notices,
  options: GatherOptions,
): Promise<Gathered> {
  const { connection = { kind: "kubeconfig" }, tell = () => {}, signal, secrets = createRedactor(REDACTED) } = options;
  const { clock, cwd } = outside;
  const { env, definitions, proxyUser } = given;
  for (const remark of [...typographicMarks(given), ...foreignSizes(given.entries)]) notices.add(remark);
  for (const secret of secretsIn(given.entries)) secrets.hide(secret);
  const deployment = deploymentOf(given);
  if (deployment.kind === "spark-submit") throw unsupportedHere(deployment.reason);
  refuseEmptyId(request);
  const found = await gatherCluster(connection, deployment.server, { configuration: given, access, tell, secrets });
  const { server, cluster } = found;
  const settled = withContextNamespace(given, found.context, notices);
  const installation = await gatherInstallation(settled, {
    client: connection.kind === "client" ? connection.client : undefined,
    cluster,
    connectCluster: options.connectCluster,
    find: options.installations,
    signal,
  });
  if (installation !== undefined) notices.add(installationNotice(installation));
  const configuration = { ...settled, entries: { ...installation?.entries, ...settled.entries } };

  const mainApplication = gatherApplication(configuration, access);
  const isHere = access !== "nothing";
  const hadoops = isHere ? hadoopUser({ env, definitions, proxyUser }) : (proxyUser ?? IMAGE_USER);
  const user = request.user ?? (isHere ? sparkUser(env, hadoops) : hadoops);
  const submitted = submittedEntries(configuration, mainApplication, server, clock);
  const entries = isHere
    ? { ...submitted, ...kerberosEntries(submitted, env, hadoops, outside, notices.add) }
    : submitted;
  const sparkVersion = resolveSparkVersion(entries, env, notices.add);
  checkJavaOptions(entries, sparkVersionOf(sparkVersion));
  const known: ConfigurationData = {
    sparkVersion,
    entries,
    env: { ...env },
    system: isHere ? systemProperties(cwd, definitions) : systemPropertiesOf(user),
    fallbacks: await referencedDefaults(entries, sparkVersion),
  };
  const data =
    access === "nothing" || entries[PACKAGES.key] === undefined
      ? known
      : { ...known, entries: await withoutPackages(known, mainApplication, { env, clock, signal, tell }) };
  const conf = confOf(data);
  const remark = checkQueue(installation, conf);
  if (remark !== undefined) notices.add(remark);
  const steps = [...(request.steps ?? []), ...(await namedSteps(data.entries, cwd, access))];
  for (const remark of await unknownKeys(given.entries, steps)) notices.add(remark);
  if (access === "nothing") refuseFilesOf(steps, conf);

  const stages =
    access === "this-machine" && conf.get(STAGING_URI) !== undefined && hasLocalFiles(conf, mainApplication);
  // Loaded where it is needed: most submissions have nothing to stage.
  const reading = stages ? await import("./staging/staging-access.ts") : undefined;
  const ofInstallation = installation !== undefined && isStagingServer(installation) ? installation : undefined;
  const staging = connection.kind === "none" ? undefined : reading?.stagingAccess(conf, env, clock, ofInstallation);
  if (staging !== undefined && ofInstallation !== undefined) {
    const kept = reading?.tokenKept(conf, env);
    if (kept !== undefined) notices.add(kept);
  }
  return {
    steps,
    cluster,
    installation,
    staging,
    input: {
      ...data,
      mainApplication,
      appArgs: request.application?.arguments ?? [],
      proxyUser,
      user,
      seed:
        request.submissionId === undefined
          ? { bytes: outside.random.bytes(32), epochMillis: clock.now() }
          : seedOf(request.submissionId),
      submissionId: request.submissionId,
      resourceNamePrefix: request.resourceNamePrefix,
      templates: {
        ...(typeof request.driverTemplate === "object" && { driver: request.driverTemplate }),
        ...(typeof request.executorTemplate === "object" && { executor: request.executorTemplate }),
      },
      sparkContainer: request.sparkContainer ?? "last",
      access,
      files:
        access === "nothing"
          ? { cwd: "/", byPath: {} }
          : gatherFiles({ conf, env, mainApplication, steps }, cwd, clock),
      stagingCa: reading?.stagingCa(conf, clock, ofInstallation),
      notices: notices.all,
    },
  };
}

/** An empty id, as of a variable that is not set, would make one application of all that have it. */
function refuseEmptyId({ submissionId }: Pick<SubmitRequest, "submissionId">): void {
  if (submissionId?.trim() === "") throw new KindlingError("ARGUMENT_INVALID", "--submission-id: the id is empty");
}

function gatherApplication({ primaryResource, mainClass }: Configuration, access: Access): MainApplication {
  const resource = primaryResource ?? NO_RESOURCE;
  return mainApplicationOf(resource, mainClass ?? applicationClass(resource, access));
}

async function withoutPackages(
  data: ConfigurationData,
  mainApplication: MainApplication,
  options: WithPackagesOptions,
): Promise<ConfigurationData["entries"]> {
  const { withPackages } = await import("./packages/with-packages.ts");
  return withPackages({ conf: confOf(data), mainApplication }, options);
}

async function namedSteps(entries: ConfigurationData["entries"], cwd: string, access: Access): Promise<Step[]> {
  if (access === "nothing" || entries[STEPS.key] === undefined) return [];
  const { loadSteps } = await import("@kindling/steps/modules");
  return loadSteps(splitList(entries[STEPS.key] ?? ""), cwd, "--steps");
}

function hasLocalFiles(conf: SparkConf, application: MainApplication): boolean {
  const { resource } = application;
  const own = application.language !== "java" && resource !== undefined && isSubmitterLocal(resource);
  return own || URI_LIST_KEYS.some((key) => splitList(conf.raw(key) ?? "").some(isSubmitterLocal));
}
