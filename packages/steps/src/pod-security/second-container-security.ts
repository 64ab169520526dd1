import type { Container } from "@kindling/core-spec";
import type { SparkPod } from "../spark-pod.ts";

/**
 * The security context of a container that runs beside Spark's, as the restricted level of Kubernetes' Pod Security Standards
 * wants it. It has the user of Spark's container or of the pod, because both read the same files.
 *
 * @param ownUser the user where neither says one: a number, or `none` for the image's own
 */
export function secondContainerSecurity(
  { container, pod }: Pick<SparkPod, "container" | "pod">,
  ownUser: string,
): NonNullable<Container["securityContext"]> {
  const other = ownUser === "none" ? undefined : Number(ownUser);
  const user = container.securityContext?.runAsUser ?? pod.spec?.securityContext?.runAsUser ?? other;
  return {
    ...(user !== undefined && { runAsUser: user }),
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  };
}
