/** Resources of pods whose names have no domain (Kubernetes, pkg/apis/core/types.go), apart from huge pages. */
const PLAIN_NAMES: readonly string[] = ["cpu", "memory", "ephemeral-storage", "pods"];

/**
 * Why no pod can ask for a resource of that name, such as `cpus`, or `vcore` from YuniKorn's queues. A limit with such a name
 * would have no effect.
 *
 * @returns undefined for a name that pods can have: Kubernetes' own, or an extended resource, which has a domain
 */
export function resourceNameFault(name: string): string | undefined {
  if (PLAIN_NAMES.includes(name) || /^hugepages-\d/.test(name) || /^[^/]+\/[^/]+$/.test(name)) return undefined;
  return `is no resource that pods ask for: there is ${PLAIN_NAMES.join(", ")}, hugepages-2Mi and the like, and those with a domain, as nvidia.com/gpu`;
}
