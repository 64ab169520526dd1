import {
  createRedactor,
  REDACTED,
  sparkConf,
  type ConfigurationRequest,
  type Redactor,
  type SubmitRequest,
} from "@kindling/core-spec";
import type { ClusterAccess, KubeClient } from "@kindling/kube";
import { systemOutside, type Outside } from "@kindling/outside";
import { NAMESPACE } from "@kindling/steps";
import { apply, type Applied } from "./apply/apply.ts";
import { connect } from "./cluster/connect.ts";
import { hideCredentials } from "./cluster/hide-credentials.ts";
import type { SubmissionEvent } from "./events.ts";
import { follow, type FollowOptions } from "./follow/follow.ts";
import type { Outcome } from "./follow/outcome.ts";
import { configure, type Configuration } from "./gather/configuration/configure.ts";
import { gatherConfigured, type Gathered } from "./gather/gather.ts";
import type { FindInstallation } from "./gather/installation/find-installation.ts";
import type { FindNamespaceLabels } from "./gather/installation/namespace-labels.ts";
import { noticesOf } from "./notices.ts";
import { plan } from "./plan/plan.ts";
import type { SubmissionPlan } from "./plan/submission-plan.ts";
import type { Access } from "./access.ts";
import { cleanError } from "./secrets/clean-error.ts";
import { cleanEvent } from "./secrets/clean-event.ts";
import { hidePlanned } from "./secrets/planned-secrets.ts";
import { secretsIn } from "./secrets/redact.ts";
import { inPhase } from "./submission-failure.ts";

export interface SubmitOptions extends Pick<FollowOptions, "timeoutMs" | "pendingTimeoutMs" | "endsWith"> {
  /** Whether files, environment and kubeconfig of this machine may be read. */
  readonly access: Access;
  /** A connection to use; it stays open. Without one, each call opens its own, as the kubeconfig says. */
  readonly client?: KubeClient | undefined;
  /**
   * How to look for an installation of Kindling; its entries have the lowest precedence. Default: in the cluster, each time.
   * A service that submits often passes `cachedInstallations`.
   */
  readonly installations?: FindInstallation | undefined;
  /** The same for the labels of the application's namespace: a service passes `cachedNamespaceLabels`. */
  readonly namespaceLabels?: FindNamespaceLabels | undefined;
  /** Whether to follow the application to its end. Default: what the configuration says. */
  readonly wait?: boolean;
  /** Whether to send the lines of the driver's log as events while following. */
  readonly logs?: boolean | undefined;
  readonly onEvent?: ((event: SubmissionEvent) => void) | undefined;
  /**
   * Stops the submission. Objects that were created so far are deleted, unless the submission has an id, because another call
   * may rely on them. A complete application goes on.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the plan and its input before anything is created in the cluster; throws to refuse it. For services that
   * submit for others.
   */
  readonly approve?:
    | ((plan: SubmissionPlan, from: Pick<Gathered, "input" | "steps">) => void | Promise<void>)
    | undefined;
  /** Clock, randomness, environment and current folder. Default: the process's. */
  readonly outside?: Outside;
  /** Receives the texts that may not be shown; errors and events do not contain them. */
  readonly secrets?: Redactor;
}

export interface SubmissionResult extends Applied {
  /** How the application ended; `undefined` if that was not waited for. */
  readonly outcome: Outcome | undefined;
}

/**
 * Submits an application to Kubernetes in cluster mode, as spark-submit does: gathers, plans, applies, follows. Calls share
 * nothing, so any number may run at the same time.
 *
 * @throws KindlingError with a message for the user; `failureOf` tells whether the submission was refused or could not be
 *   followed. A driver that failed is an outcome, not an error.
 */
export async function submit(request: SubmitRequest, options: SubmitOptions): Promise<SubmissionResult> {
  const { outside = systemOutside(), secrets = createRedactor(REDACTED), access } = options;
  const configuration = await inPhase("gather", () => configure(request, outside, access)).catch((error: unknown) => {
    for (const secret of secretsIn(request.conf ?? {})) secrets.hide(secret);
    tellNotices(noticesOf(error), options, secrets);
    throw cleanError(error, secrets);
  });
  return submitConfigured(configuration, request, { ...options, outside, secrets });
}

/** The same for a configuration that exists already. */
export async function submitConfigured(
  configuration: Configuration,
  request: ConfigurationRequest,
  options: SubmitOptions,
): Promise<SubmissionResult> {
  const { access, signal, logs, outside = systemOutside(), secrets = createRedactor(REDACTED) } = options;
  const onEvent = (event: SubmissionEvent): void => options.onEvent?.(cleanEvent(event, secrets));
  let client = options.client;
  try {
    const { input, steps, cluster, staging } = await inPhase("gather", () =>
      gatherConfigured(configuration, request, outside, access, {
        connection: options.client === undefined ? { kind: "kubeconfig" } : { kind: "client", client: options.client },
        installations: options.installations,
        namespaceLabels: options.namespaceLabels,
        connectCluster: (access, conf, namespace) => (client ??= connect(access, conf, namespace)),
        tell: (message) => onEvent({ type: "notice", message }),
        signal,
        secrets,
      }),
    );
    const planned = await inPhase("plan", () => plan(input, steps));
    tellNotices(planned.notices, options, secrets);
    hidePlanned(planned, secrets);
    await inPhase("plan", () => options.approve?.(planned, { input, steps }));
    client ??= connectionFor(planned, cluster);
    const api = client;
    const applied = await inPhase("apply", () => apply(planned, api, { staging, onEvent, signal, outside, secrets }));
    const { application } = applied;
    const { wait, intervalMs } = planned.follow;
    const outcome =
      (options.wait ?? wait)
        ? await inPhase(
            "follow",
            () =>
              follow(application, api, { ...limitsOf(options), intervalMs, logs, onEvent, signal, outside, secrets }),
            application,
          )
        : undefined;
    return { ...applied, outcome };
  } catch (error) {
    if (options.client !== undefined) await hideCredentials(options.client, secrets);
    tellNotices(noticesOf(error), options, secrets);
    throw cleanError(error, secrets);
  } finally {
    if (options.client === undefined) client?.close();
  }
}

function limitsOf({ timeoutMs, pendingTimeoutMs, endsWith }: SubmitOptions): Partial<FollowOptions> {
  return { timeoutMs, pendingTimeoutMs, endsWith };
}

/** A client of the API server that gathering found. */
export function connectionFor({ configuration }: SubmissionPlan, cluster: ClusterAccess | undefined): KubeClient {
  if (cluster === undefined) throw new Error("there is no way to the API server");
  const { entries, env } = configuration;
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  return connect(cluster, conf, conf.raw(NAMESPACE.key) ?? "default");
}

function tellNotices(notices: readonly string[], { onEvent }: SubmitOptions, secrets: Redactor): void {
  for (const message of notices) onEvent?.(cleanEvent({ type: "notice", message }, secrets));
}
