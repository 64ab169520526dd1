import {
  confKey,
  confType,
  createRedactor,
  isKindlingError,
  sparkConf,
  type ConfKey,
  type Redactor,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { isKubeError, linkedAbort, type KubeClient } from "@kindling/kube";
import { NAMESPACE } from "@kindling/steps";
import { parseArguments, type SubmitArguments } from "./args/parse-arguments.ts";
import type { CheckResult } from "./check/check-submission.ts";
import { clusterAccess, connect, hideCredentials } from "./apply/connect.ts";
import { createApplication } from "./apply/create-application.ts";
import type { CreatedPod } from "./apply/created-pod.ts";
import type { Env } from "./conf/spark-env.ts";
import type { Application, SubmissionEvent } from "./events.ts";
import { followApplication, REPORT_INTERVAL, type Outcome } from "./follow/follow-application.ts";
import { cleanError, cleanValue } from "./output/clean-error.ts";
import { cleanEvent } from "./output/clean-event.ts";
import { learnSecrets, type Redaction } from "./output/redact-object.ts";
import { REDACTED, secretsBy, secretsIn } from "./output/redact.ts";
import { gatherInput, type Request } from "./plan/gather-input.ts";
import type { SubmissionPlan } from "./plan/plan.ts";
import { prepareSubmission, type Prepared } from "./plan/prepare.ts";
import { contributedSteps } from "./steps/contributed-steps.ts";
import { userAgent } from "./version.ts";

export const WAIT_APP_COMPLETION: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.submission.waitAppCompletion",
  type: confType.boolean,
  default: "true",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "Whether the submission follows the application to its end.",
});

export interface SubmitOptions {
  /** spark-submit's own arguments, with Kindling's flags among them if wanted. */
  readonly args: readonly string[];
  /** Names the submission: the same id in the same namespace again gives the application that is there. */
  readonly submissionId?: string;
  /** Default: the process's. */
  readonly env?: Env;
  /** What relative paths are relative to. Default: the process's. */
  readonly cwd?: string;
  /** Steps that run behind the built-in ones, besides those that the configuration names. */
  readonly steps?: readonly Step[];
  /** A connection to use, and to leave open. Without one each call opens its own. */
  readonly client?: KubeClient;
  /** Whether to follow the application to its end. Default: what the configuration says. */
  readonly wait?: boolean;
  /** Whether to bring the driver's log, as events, while following. */
  readonly logs?: boolean;
  readonly onEvent?: (event: SubmissionEvent) => void;
  /**
   * Stops the submission: what is half made is taken away, unless it has a submission id, so that another call may rely
   * on it; an application that was made goes on.
   */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
}

export interface SubmissionResult {
  readonly application: Application;
  /** Whether an earlier submission with the same id had made it. */
  readonly existed: boolean;
  /** How it ended; `undefined` if that was not waited for. */
  readonly outcome: Outcome | undefined;
}

/**
 * Submits an application to Kubernetes in cluster mode, as spark-submit does. Calls do not share anything, so any number
 * may run at a time.
 *
 * @throws KindlingError whose message is for the user; what is left in the cluster then stands in its hint
 */
export async function submit(options: SubmitOptions): Promise<SubmissionResult> {
  const { submissionId } = options;
  const args = parseArguments([
    ...(submissionId === undefined ? [] : ["--submission-id", submissionId]),
    ...options.args,
  ]);
  const request = gatherInput(args, {
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    now: options.now ?? Date.now,
    notice: noticeTo(options),
  });
  if (request.kind === "spark-submit") throw (await import("./spark-submit.ts")).unsupportedHere(request.reason);
  return submitRequest(args, request, options, createRedactor(REDACTED));
}

type KubernetesRequest = Request & { readonly kind: "kubernetes" };

/**
 * Submits what has been gathered already.
 *
 * @param secrets learns what may not be shown; errors and events are without it
 */
export async function submitRequest(
  args: SubmitArguments,
  request: KubernetesRequest,
  options: SubmitOptions,
  secrets: Redactor,
): Promise<SubmissionResult> {
  hideSettings(request, secrets);
  const client = options.client ?? (await openCluster(request, options, secrets));
  const interruption = linkedAbort(options.signal);
  const { onEvent } = options;
  try {
    const prepared = await prepare(request, request.server ?? client.access.server, options);
    redactionOf(prepared, secrets);
    const once = args.values.has("--submission-id");
    const result = await run(prepared, once, client, secrets, {
      ...options,
      ...(onEvent && { onEvent: (event) => onEvent(cleanEvent(event, secrets)) }),
      signal: interruption.signal,
    });
    return { ...result, outcome: cleanValue(result.outcome, secrets) };
  } catch (error) {
    if (options.client !== undefined) await hideCredentials(client, secrets);
    throw cleanError(error, secrets);
  } finally {
    interruption.release();
    if (options.client === undefined) client.close();
  }
}

/** Looks at everything that a submission needs, without submitting it. */
export async function* checkRequest(
  request: KubernetesRequest,
  options: SubmitOptions,
  secrets: Redactor,
): AsyncGenerator<CheckResult, void> {
  hideSettings(request, secrets);
  const client = options.client ?? (await openCluster(request, options, secrets));
  try {
    const prepared = await prepare(request, request.server ?? client.access.server, options);
    redactionOf(prepared, secrets);
    const { checkSubmission } = await import("./check/check-submission.ts");
    yield* checkSubmission(prepared, client, secrets, options.signal);
  } finally {
    if (options.client === undefined) client.close();
  }
}

/**
 * Works out a submission without a cluster, for showing it.
 *
 * @throws KindlingError where there is a kubeconfig that cannot be read; one that is missing only leaves the master open
 */
export async function prepareOffline(
  request: KubernetesRequest,
  options: SubmitOptions,
  secrets: Redactor,
): Promise<Prepared> {
  hideSettings(request, secrets);
  const server = request.server ?? (await contextServer(request, options, secrets)) ?? IN_CLUSTER_SERVER;
  return prepare(request, server, options);
}

/** Makes the secrets of what will be created known, and says how they are taken out of it. */
export function redactionOf({ plan }: Prepared, secrets: Redactor): Redaction {
  const { preResources, pod, resources } = plan.objects;
  const { entries } = plan.submission.conf;
  learnSecrets([...preResources, pod, ...resources], { isSecret: secretsBy(entries, true), secrets });
  return { isSecret: secretsBy(entries), secrets };
}

function hideSettings(request: KubernetesRequest, secrets: Redactor): void {
  for (const secret of secretsIn(request.conf.entries)) secrets.hide(secret);
}

const IN_CLUSTER_SERVER = "https://kubernetes.default.svc";

async function contextServer(
  request: KubernetesRequest,
  options: SubmitOptions,
  secrets: Redactor,
): Promise<string | undefined> {
  try {
    return (await clusterAccess(connectionConf(request), request.env, secrets, undefined, noticeTo(options))).server;
  } catch (error) {
    const cause = isKindlingError(error) ? error.cause : undefined;
    // One that is there and wrong names its file.
    if (isKubeError(cause) && cause.kind === "config" && cause.file === undefined) return undefined;
    throw error;
  }
}

async function prepare(request: KubernetesRequest, server: string, options: SubmitOptions): Promise<Prepared> {
  const gathered = await request.withMaster(server);
  const input =
    gathered.entries["spark.jars.packages"] === undefined
      ? gathered
      : await (
          await import("./packages/with-packages.ts")
        ).withPackages(gathered, {
          env: request.env,
          signal: options.signal,
        });
  const contributed = [
    ...(options.steps ?? []),
    ...(await contributedSteps(input.entries, options.cwd ?? process.cwd())),
  ];
  return prepareSubmission(input, contributed, async (conf) =>
    (await import("./staging/stage-files.ts")).placeholderBundle(conf),
  );
}

async function openCluster(request: KubernetesRequest, options: SubmitOptions, secrets: Redactor): Promise<KubeClient> {
  const conf = connectionConf(request);
  const access = await clusterAccess(conf, request.env, secrets, request.server, noticeTo(options));
  return connect(access, conf, conf.raw(NAMESPACE.key) ?? "default", userAgent());
}

function noticeTo({ onEvent }: SubmitOptions): (message: string) => void {
  return (message) => onEvent?.({ type: "notice", message });
}

function connectionConf({ conf, env }: KubernetesRequest): SparkConf {
  return sparkConf(conf.entries, { sparkVersion: "", env: (name) => env[name] });
}

async function run(
  prepared: Prepared,
  once: boolean,
  client: KubeClient,
  secrets: Redactor,
  options: SubmitOptions,
): Promise<SubmissionResult> {
  const emit = options.onEvent ?? (() => {});
  const { conf } = prepared.plan.submission;
  // Read before anything is made, so that a fault in them leaves nothing behind.
  const waitAsConfigured = conf.get(WAIT_APP_COMPLETION);
  const intervalMs = conf.get(REPORT_INTERVAL);
  const pod = await create(prepared, once, client, { emit, secrets, signal: options.signal });
  const { existed, state } = pod;
  const application = applicationOf(prepared.plan, pod);
  emit({ type: "submitted", application, existed, state });

  const outcome =
    (options.wait ?? waitAsConfigured)
      ? await followApplication(client, application, {
          intervalMs,
          logs: options.logs === true,
          emit,
          signal: options.signal,
        })
      : undefined;
  return { application, existed, outcome };
}

interface CreateOptions {
  readonly secrets: Redactor;
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Brings the files of this machine to where pods will find them, then makes the objects. */
async function create(
  { plan, unstaged }: Prepared,
  once: boolean,
  client: KubeClient,
  { emit, signal, secrets }: CreateOptions,
): Promise<CreatedPod> {
  const createWith = async (complete: SubmissionPlan): Promise<CreatedPod> => {
    if (complete.uploads.length > 0) {
      const { checkUploads, upload } = await import("./uploads/upload.ts");
      await checkUploads(complete.uploads);
      for (const file of complete.uploads) {
        emit({ type: "uploading", source: file.source, destination: file.destination });
        await upload(file, complete.submission.conf, complete.submission.env, signal);
      }
    }
    return createApplication(client, complete.objects, { once, ...(signal && { signal }) });
  };
  if (unstaged === undefined) return createWith(plan);
  const { withStagedFiles } = await import("./staging/with-staged-files.ts");
  return withStagedFiles(unstaged, plan.submission, client, {
    emit,
    signal,
    once,
    secrets,
    create: (staged) => createWith(staged.plan),
  });
}

function applicationOf({ submission, objects }: SubmissionPlan, pod: CreatedPod): Application {
  return {
    name: submission.appName,
    id: submission.appId,
    submissionId: `${pod.namespace}:${pod.name}`,
    namespace: pod.namespace,
    driverPod: pod.name,
    driverContainer: objects.pod.spec?.containers?.at(-1)?.name ?? "",
  };
}
