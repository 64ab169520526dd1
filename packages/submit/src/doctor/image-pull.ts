import type { Pod } from "@kindling/core-spec";
import { podState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import { sleep, type Outside } from "@kindling/outside";
import { isUnschedulable, UNSCHEDULABLE_MS } from "../check/probe-pod.ts";
import { ok, problem, type Found } from "./finding.ts";

// Spark's images are larger than half a gigabyte.
const TIMEOUT_MS = 300_000;
const HOPELESS = /^(ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError)$/;

export interface PulledImage {
  readonly namespace: string;
  readonly image: string;
  readonly pullPolicy: string | undefined;
  readonly pullSecrets: readonly string[];
  /** The driver's account: its image pull secrets are used. */
  readonly account: string;
}

/** Creates a pod with the image, and deletes it again. The pod runs `true`. */
export async function imagePulled(
  client: KubeClient,
  pulled: PulledImage,
  { clock, random }: Pick<Outside, "clock" | "random">,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { namespace, image } = pulled;
  const name = `kindling-doctor-${Buffer.from(random.bytes(4)).toString("hex")}`;
  const begin = clock.monotonic();
  try {
    await client.create(resources.pods, podOf(name, pulled), { signal });
    for (;;) {
      const state = podState(await client.get(resources.pods, name, { namespace, signal }));
      const [container] = state.containers;
      // The image is there, no matter how the program ended.
      if (container !== undefined && container.state !== "waiting") {
        return ok(`${image} was there after ${((clock.monotonic() - begin) / 1000).toFixed(1)} s`);
      }
      const isHopeless = container?.reason !== undefined && HOPELESS.test(container.reason);
      if (isHopeless || clock.monotonic() - begin > TIMEOUT_MS) {
        const why = container?.message ?? state.message ?? container?.reason ?? state.phase;
        return problem(
          isHopeless ? `${image} cannot be pulled: ${why}` : `a pod with ${image} does not start: ${why}`,
          "correct spark.kubernetes.container.image, or name what it is pulled with: spark.kubernetes.container.image.pullSecrets",
        );
      }
      if (isUnschedulable(state) && clock.monotonic() - begin > UNSCHEDULABLE_MS) {
        return problem(
          `a pod with ${image} finds no node: ${state.message ?? state.phase}`,
          `applications would wait in the same way: kubectl get nodes, kubectl -n ${namespace} get events`,
        );
      }
      await sleep(clock, 300, signal);
      signal?.throwIfAborted();
    }
  } finally {
    await client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 }).catch(() => undefined);
  }
}

function podOf(name: string, { namespace, image, pullPolicy, pullSecrets, account }: PulledImage): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { "kindling-check": name } },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      serviceAccountName: account,
      ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })) }),
      containers: [
        {
          ...{ name: "spark", image, command: ["true"] },
          ...(pullPolicy !== undefined && { imagePullPolicy: pullPolicy }),
          resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "100m", memory: "64Mi" } },
          // This satisfies every level of the Pod Security Standards.
          securityContext: {
            ...{ allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: 65_532 },
            capabilities: { drop: ["ALL"] },
            seccompProfile: { type: "RuntimeDefault" },
          },
        },
      ],
    },
  };
}
