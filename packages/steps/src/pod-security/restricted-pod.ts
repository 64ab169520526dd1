import type { Container } from "@kindling/core-spec";
import { add, withSpec, type SparkPod } from "../spark-pod.ts";

export interface RestrictedPodOptions {
  /** The user to run containers as. Default: the user of each image. */
  readonly runAsUser: number | undefined;
  readonly readOnlyRootFilesystem: boolean;
}

const TMP = "/tmp";
const TMP_VOLUME = "spark-tmp";

/**
 * Sets what the level `restricted` of the Pod Security Standards requires, in all containers of a pod. Fields that are
 * set already are not changed, even if the level does not allow them (`violations.ts` finds that).
 */
export function restrictedPod(sparkPod: SparkPod, options: RestrictedPodOptions): SparkPod {
  const { pod, container } = withWritableTmp(sparkPod, options);
  const restrict = (one: Container): Container => restrictedContainer(one, options);
  const { containers, initContainers } = pod.spec ?? {};
  const others = {
    ...(containers && { containers: containers.map(restrict) }),
    ...(initContainers && { initContainers: initContainers.map(restrict) }),
  };
  const securityContext = {
    runAsNonRoot: true,
    ...(options.runAsUser !== undefined && { runAsUser: options.runAsUser }),
    seccompProfile: { type: "RuntimeDefault" },
    ...pod.spec?.securityContext,
  };
  return { pod: withSpec(pod, { ...others, securityContext }), container: restrict(container) };
}

function restrictedContainer(container: Container, { readOnlyRootFilesystem }: RestrictedPodOptions): Container {
  const { capabilities, ...given } = container.securityContext ?? {};
  const dropped = capabilities?.drop ?? [];
  return {
    ...container,
    securityContext: {
      allowPrivilegeEscalation: false,
      ...(readOnlyRootFilesystem && { readOnlyRootFilesystem }),
      ...given,
      capabilities: { ...capabilities, drop: dropped.includes("ALL") ? dropped : [...dropped, "ALL"] },
    },
  };
}

/** A JVM writes to /tmp, for example the data of its performance counters. */
function withWritableTmp(sparkPod: SparkPod, { readOnlyRootFilesystem }: RestrictedPodOptions): SparkPod {
  const isMounted = sparkPod.container.volumeMounts?.some(({ mountPath }) => mountPath === TMP) === true;
  if (!readOnlyRootFilesystem || isMounted) return sparkPod;
  const isThere = (sparkPod.pod.spec?.volumes ?? []).some(({ name }) => name === TMP_VOLUME);
  return add(sparkPod, {
    volumes: isThere ? [] : [{ name: TMP_VOLUME, emptyDir: {} }],
    volumeMounts: [{ name: TMP_VOLUME, mountPath: TMP }],
  });
}
