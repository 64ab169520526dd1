import {
  createRedactor,
  isDnsLabel,
  KindlingError,
  quotedName,
  REDACTED,
  type KubernetesResource,
  type Pod,
  type Step,
} from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  cachedInstallations,
  cachedNamespaceLabels,
  submit,
  type Application,
  type FindInstallation,
  type FindNamespaceLabels,
  type SubmissionPlan,
  type SubmitRequest,
} from "@kindling/submit";
import { NAMESPACE } from "@kindling/steps";
import { SUBMISSION_ID_LABEL } from "../applications/application-record.ts";
import { inWordsOfHttp } from "../errors/words-of-http.ts";
import { refuseKeys } from "./refused-keys.ts";

export interface SubmissionsOptions {
  readonly client: KubeClient;
  /** Configuration that each submission starts with. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly deniedKeys: readonly string[];
  /** The namespaces that are served; empty for all. */
  readonly namespaces: readonly string[];
  readonly steps: readonly Step[];
  readonly outside: Outside;
}

/** A submitted application, and the notices. */
export interface Submitted {
  readonly application: Application;
  readonly submissionId: string | undefined;
  /** Whether an earlier submission with the same id created it. */
  readonly existed: boolean;
  /** When the driver pod was created, RFC 3339. */
  readonly created: string | undefined;
  readonly notices: readonly string[];
}

/**
 * Submits for others. It reads nothing of this machine for them, and creates nothing outside the namespace that they named.
 */
export class Submissions {
  readonly #options: SubmissionsOptions;
  readonly #installations: FindInstallation;
  readonly #namespaceLabels: FindNamespaceLabels;

  constructor(options: SubmissionsOptions) {
    this.#options = options;
    const { clock } = options.outside;
    this.#installations = cachedInstallations({ clock });
    this.#namespaceLabels = cachedNamespaceLabels({ clock });
  }

  /**
   * The namespace of a submission, or the default namespace.
   *
   * @throws KindlingError `ARGUMENT_INVALID` if it is invalid or not served
   */
  namespaceOf({ namespace, conf }: Pick<SubmitRequest, "namespace" | "conf">): string {
    return this.servedNamespace(namespace ?? conf?.[NAMESPACE.key] ?? this.#options.defaults[NAMESPACE.key]);
  }

  /** @throws KindlingError `ARGUMENT_INVALID` */
  servedNamespace(given: string | undefined): string {
    const { namespaces, client } = this.#options;
    const namespace = given ?? namespaces[0] ?? client.namespace;
    if (!isDnsLabel(namespace))
      throw new KindlingError("ARGUMENT_INVALID", `${quotedName(namespace)} is not the name of a namespace`);
    if (namespaces.length > 0 && !namespaces.includes(namespace))
      throw new KindlingError("ARGUMENT_INVALID", `namespace ${namespace} is not served here`, {
        hint: `served are ${namespaces.join(", ")}`,
      });
    return namespace;
  }

  /**
   * @param namespace where the client may submit
   * @throws KindlingError with a message for the client
   */
  async submit(request: SubmitRequest, namespace: string): Promise<Submitted> {
    const { client, defaults, deniedKeys, steps, outside } = this.#options;
    refuseKeys(request.conf, deniedKeys);
    const notices: string[] = [];
    let created: string | undefined;
    const { application, existed } = await submit(
      { ...request, namespace, conf: { ...defaults, ...request.conf, ...labelOf(request) }, steps },
      {
        access: "nothing",
        client,
        // The cluster is asked from time to time, not for each submission.
        installations: this.#installations,
        namespaceLabels: this.#namespaceLabels,
        wait: false,
        outside,
        // Each submission has a new redactor, so that its secrets are forgotten with it.
        secrets: createRedactor(REDACTED),
        approve: (plan) => refuseOtherNamespaces(plan, namespace),
        onEvent(event) {
          if (event.type === "notice") notices.push(inWordsOfHttp(event.message));
          if (event.type === "submitted") created = event.state.created;
        },
      },
    );
    return { application, submissionId: request.submissionId, existed, created, notices };
  }
}

/** The label that finds a submission again, whatever the name of its driver pod is. */
function labelOf({ submissionId }: SubmitRequest): Record<string, string> {
  if (submissionId === undefined || !/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(submissionId)) return {};
  return { [`spark.kubernetes.driver.label.${SUBMISSION_ID_LABEL}`]: submissionId };
}

/** A template or a step may name another namespace than the one that the client has rights in. */
function refuseOtherNamespaces({ objects }: SubmissionPlan, namespace: string): void {
  const all: readonly (Pod | KubernetesResource)[] = [objects.pod, ...objects.preResources, ...objects.resources];
  for (const { kind = "Pod", metadata } of all) {
    if (metadata?.namespace === namespace) continue;
    throw new KindlingError(
      "ACCESS_DENIED",
      `${kind} ${metadata?.name ?? ""} would be made in namespace ${metadata?.namespace ?? "?"}, and not in ${namespace}`,
      { hint: "leave the namespace out of pod templates" },
    );
  }
}
