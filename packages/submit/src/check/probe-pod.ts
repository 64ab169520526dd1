import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyDriverSpec, KindlingError, runDriverSteps, type Pod } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { sleep, type Clock, type Outside } from "@kindling/outside";
import { IMAGE_PULL_SECRETS, podSecurity, stagedDependencies, type Dependency } from "@kindling/steps";
import { podState, type PodState } from "@kindling/diagnosis";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import { localFiles } from "../plan/files/gathered-files.ts";
import { makeSubmission } from "../plan/make-submission.ts";
import type { PlanInput } from "../plan/plan-input.ts";
import type { StagingCredentials } from "../stage/open-staging.ts";
import { internalStagingUri } from "../keys/staging-place.ts";
import { stageFiles, type StagedFiles } from "../stage/stage-files.ts";

// Images may have to be pulled.
const TIMEOUT_MS = 180_000;
/** A scheduler finds a node within seconds. An autoscaler adds one within minutes, which is too long to wait here. */
export const UNSCHEDULABLE_MS = 60_000;
const PURPOSE_LABEL = "kindling-check";

/** A staging server, and the credentials for it. */
export interface OpenedStaging {
  readonly access: StagingAccess;
  readonly credentials: StagingCredentials;
}

/**
 * Stages a file of a few bytes, lets a pod fetch it as the localizer of a driver does, and deletes everything again.
 *
 * @returns how long that took, in words
 * @throws KindlingError with the pod's own message
 */
export async function probeFromPod(
  input: PlanInput,
  { access, credentials }: OpenedStaging,
  client: KubeClient,
  { clock, random }: Pick<Outside, "clock" | "random">,
  signal: AbortSignal | undefined,
): Promise<string> {
  const submission = makeSubmission(input, {
    files: localFiles(input.files, input.access, input.sparkVersion),
    uploads: { uploadedUris: () => [] },
    notice: () => {},
  });
  const { namespace, resourceNamePrefix } = submission;
  const name = `${resourceNamePrefix}-check`;
  const folder = await mkdtemp(join(tmpdir(), "kindling-check-"));
  let staged: StagedFiles | undefined;
  try {
    const path = join(folder, "probe");
    await writeFile(path, random.bytes(64));
    const dependencies: readonly Dependency[] = [{ kind: "jar", from: { path }, name: "probe" }];
    const labels = { [PURPOSE_LABEL]: name.slice(-63).replace(/^[^a-z0-9]+/, "") };
    staged = await stageFiles(access, credentials, dependencies, { namespace, labels, signal });
    const server = internalStagingUri(submission.conf, access.uri);
    const bundle = { ...staged.bundle, server, ca: access.ca };
    const step = stagedDependencies({ dependencies, bundle, secretName: name });
    const { spec } = runDriverSteps(emptyDriverSpec({}), submission, [step, podSecurity]);
    for (const secret of spec.preKubernetesResources) await client.create(resources.secrets, secret, { signal });
    const begin = clock.monotonic();
    const pullSecrets = submission.conf.get(IMAGE_PULL_SECRETS);
    const pod = probePod({ name, namespace, labels }, spec.driverPod, pullSecrets);
    await client.create(resources.pods, pod, { signal });
    await settled(client, namespace, name, clock, signal);
    return `a pod fetched a file after ${((clock.monotonic() - begin) / 1000).toFixed(1)} s`;
  } finally {
    await Promise.allSettled([
      client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 }),
      client.delete(resources.secrets, name, { namespace }),
      staged?.discard(),
      rm(folder, { recursive: true, force: true }),
    ]);
    staged?.close();
  }
}

/** A pod whose only container is the localizer. */
function probePod(metadata: NonNullable<Pod["metadata"]>, { spec }: Pod, pullSecrets: readonly string[]): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      ...(spec?.securityContext && { securityContext: spec.securityContext }),
      ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })) }),
      volumes: spec?.volumes ?? [],
      containers: spec?.initContainers ?? [],
    },
  };
}

async function settled(
  client: KubeClient,
  namespace: string,
  name: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begin = clock.monotonic();
  const deadline = begin + TIMEOUT_MS;
  for (;;) {
    const state = podState(await client.get(resources.pods, name, { namespace, signal }));
    if (state.phase === "Succeeded") return;
    if (state.phase === "Failed") throw probeFailure(state);
    const [container] = state.containers;
    const waiting = container?.state === "waiting" ? container : undefined;
    const hopeless = /^(ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError)$/;
    if ((waiting?.reason !== undefined && hopeless.test(waiting.reason)) || clock.monotonic() > deadline) {
      const why = waiting?.message ?? state.message ?? waiting?.reason ?? state.phase;
      throw new KindlingError("UNSUPPORTED", `the probe's pod does not start: ${why}`, {
        hint: "spark.kindling.localizer.image must name an image that the nodes have or can pull",
      });
    }
    if (isUnschedulable(state) && clock.monotonic() - begin > UNSCHEDULABLE_MS) {
      throw new KindlingError("UNSUPPORTED", `the probe's pod finds no node: ${state.message ?? state.phase}`, {
        hint: `applications would wait in the same way: kubectl get nodes, kubectl -n ${namespace} get events`,
      });
    }
    await sleep(clock, 300, signal);
  }
}

/** Whether a scheduler has looked for a node and found none. */
export function isUnschedulable({ phase, reason }: PodState): boolean {
  return phase === "Pending" && reason === "Unschedulable";
}

/** The termination message of the localizer, or at least its exit code. */
function probeFailure({ containers }: PodState): KindlingError {
  const [container] = containers;
  const ended = container?.state === "terminated" ? container : undefined;
  const said = localizerReport(ended?.message);
  return new KindlingError(
    "UNSUPPORTED",
    said?.message ?? `the localizer ended with code ${ended?.exitCode ?? "unknown"}: ${ended?.message ?? ""}`.trim(),
    said?.hint === undefined ? {} : { hint: said.hint },
  );
}

function localizerReport(text = ""): { readonly message: string; readonly hint?: string } | undefined {
  try {
    const report: unknown = JSON.parse(text);
    if (typeof report !== "object" || report === null || !("message" in report)) return undefined;
    const { message, hint } = report as { message: unknown; hint?: unknown };
    if (typeof message !== "string") return undefined;
    return typeof hint === "string" ? { message, hint } : { message };
  } catch {
    return undefined;
  }
}
