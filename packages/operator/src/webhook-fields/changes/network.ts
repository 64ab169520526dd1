import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

/** Ports, the node's network, entries of `/etc/hosts`, and how names are resolved. */
export function network({ fields }: RoleFields): Partial<PodChanges> {
  const { ports = [], hostNetwork, hostAliases = [], dnsConfig } = fields;
  return {
    ports: ports.map(({ name, protocol, containerPort }) => ({ name, containerPort, protocol })),
    hostAliases,
    spec: {
      // With the node's network a pod gets the node's resolver unless it asks for the cluster's.
      ...(hostNetwork === true && { hostNetwork, dnsPolicy: "ClusterFirstWithHostNet" }),
      ...(dnsConfig !== undefined && { dnsConfig }),
    },
  };
}
