import { annotationScript, DEFAULT_SCRIPT } from "@kindling/devcluster";
import { isConflict, isNotFound, type KubeClient, resources, startReflector } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Container, ContainerState, Pod } from "kubernetes-types/core/v1.js";

export interface HollowKubeletOptions {
  readonly clock: Clock;
  /** The scheduler name of the pods. No real scheduler may have this name. */
  readonly schedulerName: string;
}

export interface HollowKubelet {
  end(pod: { readonly namespace: string; readonly name: string }, exitCode: number): void;
  stop(): Promise<void>;
}

interface HollowPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly container: Container;
  startedAt: string | undefined;
  readonly cancels: (() => void)[];
}

/**
 * Reports for pods without a node what a kubelet would report: that they run, and how they ended. The annotations of a pod say
 * how it ends, as on an embedded cluster.
 */
export async function startHollowKubelet(
  client: KubeClient,
  { clock, schedulerName }: HollowKubeletOptions,
): Promise<HollowKubelet> {
  const pods = new Map<string, HollowPod>();
  const now = (): string => new Date(clock.now()).toISOString().replace(/\.\d+/, "");

  function take(pod: Pod): void {
    const { name = "", namespace = "", uid = "", annotations = {} } = pod.metadata ?? {};
    const [container] = pod.spec?.containers ?? [];
    if (pods.has(uid) || container === undefined) return;
    const scripted = annotationScript({ metadata: { annotations } }, container);
    const { startMilliseconds, runMilliseconds, exitCode } = { ...DEFAULT_SCRIPT, ...scripted };
    const hollow: HollowPod = { name, namespace, uid, container, startedAt: undefined, cancels: [] };
    pods.set(uid, hollow);
    const after = (milliseconds: number, then: () => Promise<void>): void =>
      void hollow.cancels.push(clock.after(milliseconds, () => void then()));
    after(startMilliseconds, async () => {
      await run(hollow);
      if (runMilliseconds !== undefined && pods.has(uid)) after(runMilliseconds, () => end(hollow, exitCode));
    });
  }

  function leave(uid: string): void {
    for (const cancel of pods.get(uid)?.cancels ?? []) cancel();
    pods.delete(uid);
  }

  async function run(hollow: HollowPod): Promise<void> {
    const startedAt = now();
    hollow.startedAt = startedAt;
    await tell(client, hollow, { phase: "Running", ready: true, state: { running: { startedAt } } });
  }

  async function end(hollow: HollowPod, exitCode: number): Promise<void> {
    const { startedAt = now() } = hollow;
    const reason = exitCode === 0 ? "Completed" : "Error";
    const terminated = { exitCode, reason, startedAt, finishedAt: now() };
    await tell(client, hollow, { phase: exitCode === 0 ? "Succeeded" : "Failed", ready: false, state: { terminated } });
  }

  const reflector = startReflector(client, resources.pods, {
    allNamespaces: true,
    fieldSelector: `spec.schedulerName=${schedulerName}`,
    sink: {
      replace: (found) => found.forEach(take),
      apply(event) {
        if (event.type === "DELETED") leave(event.object.metadata?.uid ?? "");
        else if (event.type !== "BOOKMARK") take(event.object);
      },
    },
  });
  await reflector.synced;
  return {
    end({ namespace, name }, exitCode) {
      for (const hollow of pods.values()) {
        if (hollow.namespace === namespace && hollow.name === name) void end(hollow, exitCode);
      }
    },
    async stop() {
      await reflector.stop();
      for (const uid of [...pods.keys()]) leave(uid);
    },
  };
}

interface HollowStatus {
  readonly phase: "Running" | "Succeeded" | "Failed";
  readonly ready: boolean;
  readonly state: ContainerState;
}

async function tell(
  client: KubeClient,
  { name, namespace, uid, container }: HollowPod,
  { phase, ready, state }: HollowStatus,
): Promise<void> {
  const { image } = container;
  const containerStatuses = [{ name: container.name, image, imageID: "", restartCount: 0, ready, state }];
  try {
    // The uid makes sure that a later pod of the same name is not patched.
    const patch = { metadata: { uid }, status: { phase, containerStatuses } };
    await client.patch(resources.pods, name, "merge", patch, { namespace, subresource: "status" });
  } catch (error) {
    // The pod has been removed, maybe with its namespace.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
