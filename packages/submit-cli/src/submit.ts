import {
  confKey,
  confType,
  isKindlingError,
  sparkConf,
  type ConfKey,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { isKubeError, linkedAbort, type KubeClient } from "@kindling/kube";
import { NAMESPACE } from "@kindling/steps";
import { parseArguments, type SubmitArguments } from "./args/parse-arguments.ts";
import type { CheckResult } from "./check/check-submission.ts";
import { clusterAccess, connect } from "./apply/connect.ts";
import { createApplication } from "./apply/create-application.ts";
import type { CreatedPod } from "./apply/created-pod.ts";
import type { Env } from "./conf/spark-env.ts";
import type { Application, SubmissionEvent } from "./events.ts";
import { followApplication, REPORT_INTERVAL, type Outcome } from "./follow/follow-application.ts";
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
  /** Stops the submission: what is half made is taken away; an application that was made goes on. */
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
 * @throws KindlingError whose message is for the user; nothing is left in the cluster then
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
  return submitRequest(args, request, options);
}

type KubernetesRequest = Request & { readonly kind: "kubernetes" };

/** Submits what has been gathered already. */
export async function submitRequest(
  args: SubmitArguments,
  request: KubernetesRequest,
  options: SubmitOptions,
): Promise<SubmissionResult> {
  const client = options.client ?? (await openCluster(request, options));
  const interruption = linkedAbort(options.signal);
  try {
    const prepared = await prepare(request, request.server ?? client.access.server, options);
    const once = args.values.has("--submission-id");
    return await run(prepared, once, client, { ...options, signal: interruption.signal });
  } finally {
    interruption.release();
    if (options.client === undefined) client.close();
  }
}

/** Looks at everything that a submission needs, without submitting it. */
export async function* checkRequest(
  request: KubernetesRequest,
  options: SubmitOptions,
): AsyncGenerator<CheckResult, void> {
  const client = options.client ?? (await openCluster(request, options));
  try {
    const prepared = await prepare(request, request.server ?? client.access.server, options);
    const { checkSubmission } = await import("./check/check-submission.ts");
    yield* checkSubmission(prepared, client, options.signal);
  } finally {
    if (options.client === undefined) client.close();
  }
}

/**
 * Works out a submission without a cluster, for showing it.
 *
 * @throws KindlingError where there is a kubeconfig that cannot be read; one that is missing only leaves the master open
 */
export async function prepareOffline(request: KubernetesRequest, options: SubmitOptions): Promise<Prepared> {
  return prepare(request, request.server ?? (await contextServer(request, options)) ?? IN_CLUSTER_SERVER, options);
}

const IN_CLUSTER_SERVER = "https://kubernetes.default.svc";

async function contextServer(request: KubernetesRequest, options: SubmitOptions): Promise<string | undefined> {
  try {
    return (await clusterAccess(connectionConf(request), request.env, undefined, noticeTo(options))).server;
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

async function openCluster(request: KubernetesRequest, options: SubmitOptions): Promise<KubeClient> {
  const conf = connectionConf(request);
  const access = await clusterAccess(conf, request.env, request.server, noticeTo(options));
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
  options: SubmitOptions,
): Promise<SubmissionResult> {
  const emit = options.onEvent ?? (() => {});
  const { conf } = prepared.plan.submission;
  // Read before anything is made, so that a fault in them leaves nothing behind.
  const waitAsConfigured = conf.get(WAIT_APP_COMPLETION);
  const intervalMs = conf.get(REPORT_INTERVAL);
  const { application, existed } = await create(prepared, once, client, { emit, signal: options.signal });
  emit({ type: "submitted", application, existed });

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
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Brings the files of this machine to where pods will find them, then makes the objects. */
async function create(
  { plan, unstaged }: Prepared,
  once: boolean,
  client: KubeClient,
  { emit, signal }: CreateOptions,
): Promise<{ readonly application: Application; readonly existed: boolean }> {
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
  const pod =
    unstaged === undefined
      ? await createWith(plan)
      : await (
          await import("./staging/with-staged-files.ts")
        ).withStagedFiles(unstaged, plan.submission, client, {
          emit,
          signal,
          create: (staged) => createWith(staged.plan),
        });
  return { application: applicationOf(plan, pod), existed: pod.existed };
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
