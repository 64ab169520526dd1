import type { Container, PodChanges, PodSpec } from "@kindling/core-spec";
import { secretsOfContainer } from "../steps/scheduler/executor-allowance.ts";

/** Fields of a pod's spec that give power over the node, or over who comes first. */
const POWERS = ["hostNetwork", "hostPID", "hostIPC", "nodeName", "priorityClassName", "serviceAccountName"] as const;

/**
 * What executors may have beside what their driver's pod has, with these changes: the same as the changes bring, in the
 * form in which the gateway reads it.
 *
 * @param before what they may have without the changes
 */
export function withAllowedChanges(before: Partial<PodSpec>, changes: PodChanges): Partial<PodSpec> {
  const spark = { ...changes.container, env: changes.env, envFrom: changes.envFrom, ports: changes.ports } as const;
  const containers = [...changes.initContainers, ...changes.sidecars, { name: "spark", ...spark } as Container];
  const secrets = [...new Set(containers.flatMap(secretsOfContainer))];
  const powers = containers.flatMap(powersOf);
  const volumes = [
    ...(before.volumes ?? []),
    ...changes.volumes,
    ...secrets.map((name) => ({ name, secret: { secretName: name } })),
  ];
  const tolerations = [...(before.tolerations ?? []), ...changes.tolerations];
  return {
    ...before,
    ...Object.fromEntries(
      POWERS.flatMap((field) => (changes.spec[field] === undefined ? [] : [[field, changes.spec[field]]])),
    ),
    ...(Object.keys(changes.nodeSelector).length > 0 && {
      nodeSelector: { ...before.nodeSelector, ...changes.nodeSelector },
    }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(volumes.length > 0 && { volumes }),
    ...(powers.length > 0 && { containers: [...(before.containers ?? []), ...powers] }),
  };
}

/** The container with nothing but what gives it power over its node; none where there is nothing. */
function powersOf({ name, securityContext, ports = [] }: Container): Container[] {
  const { privileged, capabilities } = securityContext ?? {};
  const ofHost = ports.filter(({ hostPort }) => hostPort !== undefined);
  if (privileged !== true && capabilities?.add === undefined && ofHost.length === 0) return [];
  return [
    {
      name,
      securityContext: {
        ...(privileged === true && { privileged }),
        ...(capabilities?.add !== undefined && { capabilities: { add: capabilities.add } }),
      },
      ...(ofHost.length > 0 && { ports: ofHost }),
    },
  ];
}
