import { type KubeObjectLike, isKubeError, resources, type KubeClient } from "@kindling/kube";
import { isKindlingError, messageOf, type Redactor } from "@kindling/core-spec";
import { clusterError } from "../cluster/cluster-error.ts";
import { leftOut } from "../cluster/left-out.ts";
import type { Outside } from "@kindling/outside";
import { stagingAccess } from "../gather/staging/staging-access.ts";
import { confOf, type PlanInput } from "../plan/plan-input.ts";
import type { SubmissionPlan } from "../plan/submission-plan.ts";
import type { Installation } from "../gather/installation/installation.ts";
import { isStagingServer } from "../gather/installation/with-installation.ts";
import { STAGING_URI } from "../keys/staging-keys.ts";
import { internalStagingUri } from "../keys/staging-place.ts";
import { submitterToken } from "../stage/submitter-token.ts";
import { uploadRight } from "./upload-right.ts";
import { probeFromPod, type OpenedStaging } from "./probe-pod.ts";

/** The result of one check before a submission. */
export interface CheckResult {
  /** What was checked: "the staging server from a pod". */
  readonly what: string;
  readonly ok: boolean;
  /** The result or the problem, in one line. */
  readonly detail: string;
  readonly hint?: string;
}

/** A submission that is planned, and what it was planned from. */
export interface PlannedInput {
  readonly input: PlanInput;
  readonly plan: SubmissionPlan;
  readonly installation?: Installation | undefined;
}

export interface CheckOptions {
  readonly outside: Pick<Outside, "clock" | "random">;
  /** Receives the texts that may not be shown. */
  readonly secrets: Redactor;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks everything that a submission needs without submitting it, one thing after another, and leaves nothing behind:
 * whether the API server would accept the objects (by a dry run of each), whether the application can be followed, and
 * whether the staging server can be reached from this machine and from a pod.
 */
export async function* checkSubmission(
  submission: PlannedInput,
  client: KubeClient,
  { outside, secrets, signal }: CheckOptions,
): AsyncGenerator<CheckResult, void> {
  const { input, plan, installation } = submission;
  const { namespace } = plan.application;
  const conf = confOf(input);
  yield await look(`the API server ${client.access.server}`, () => dryRun(plan, client, signal));
  yield await look("following the application", () => followable(client, namespace, signal));
  const uri = conf.get(STAGING_URI);
  if (uri === undefined) return;
  const found = installation !== undefined && isStagingServer(installation) ? installation : undefined;
  let opened: OpenedStaging | undefined;
  const fromHere = await look(`the staging server ${uri} from this machine`, async () => {
    const access = stagingAccess(conf, input.env, outside.clock, found);
    const submitter = submitterToken(access, (ask) => ask(client, namespace), outside.clock);
    opened = { access, credentials: { submitterToken: submitter, secrets, cluster: () => client.access } };
    const { allowed, detail } = await uploadRight(opened, namespace, signal);
    if (!allowed) throw new Refusal(detail);
    return detail;
  });
  yield fromHere;
  if (!fromHere.ok || opened === undefined) return;
  const known = opened;
  const internal = internalStagingUri(conf, uri);
  yield await look(`the staging server ${internal} from a pod`, () =>
    probeFromPod(input, known, client, outside, signal),
  );
}

/** Something that is wrong, in words for the user. */
class Refusal extends Error {}

async function look(what: string, body: () => Promise<string>): Promise<CheckResult> {
  try {
    return { what, ok: true, detail: await body() };
  } catch (error) {
    const shown = isKubeError(error) ? clusterError(error) : error;
    if (!isKindlingError(shown) && !(shown instanceof Refusal)) throw error;
    const hint = isKindlingError(shown) ? shown.hint : undefined;
    return { what, ok: false, detail: messageOf(shown), ...(hint !== undefined && { hint }) };
  }
}

async function dryRun(
  { objects }: SubmissionPlan,
  client: KubeClient,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { preResources, pod, resources: others } = objects;
  const answer = await client.create(resources.pods, pod, { dryRun: true, signal });
  for (const resource of [...preResources, ...others]) {
    const type = await client.resourceFor(resource.apiVersion, resource.kind);
    await client.apply(type, resource, { fieldManager: "kindling", force: true, dryRun: true, signal });
  }
  const taken = `would take the driver pod and ${preResources.length + others.length} objects beside it`;
  return [taken, ...leftOut(pod, answer)].join("; ");
}

async function followable(client: KubeClient, namespace: string, signal: AbortSignal | undefined): Promise<string> {
  const missing: string[] = [];
  for (const [verb, resource, subresource] of FOLLOWING) {
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { namespace, verb, resource, ...(subresource !== undefined && { subresource }) } },
    };
    const { status } = await client.create<KubeObjectLike & { status?: { allowed?: boolean } }>(
      resources.selfsubjectaccessreviews,
      review,
      { signal },
    );
    if (status?.allowed !== true)
      missing.push(`${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`);
  }
  if (missing.length > 0) throw new Refusal(`you may not ${missing.join(", ")} in namespace ${namespace}`);
  return "pods may be watched, and their logs read";
}

const FOLLOWING: readonly (readonly [verb: string, resource: string, subresource?: string])[] = [
  ["get", "pods"],
  ["list", "pods"],
  ["watch", "pods"],
  ["get", "pods", "log"],
];
