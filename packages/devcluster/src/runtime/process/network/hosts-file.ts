import type { EndpointSlice, Service } from "../../../objects/core.ts";
import type { Pod } from "../../../objects/pod.ts";

/** The name with which pods reach the machine that the cluster runs on. */
export const HOST_NAME = "host.kindling.internal";
const DOMAIN = "cluster.local";

/** An address with its names. */
export interface HostsEntry {
  readonly address: string;
  readonly names: readonly string[];
}

/** The names of services: for pods of all namespaces, and shorter ones for pods of the service's own namespace. */
export interface ServiceNames {
  readonly everywhere: readonly HostsEntry[];
  readonly inNamespace: ReadonlyMap<string, readonly HostsEntry[]>;
}

/**
 * The names that a cluster's DNS would resolve. The names of services with an address resolve to that address. The names of
 * headless services resolve to the addresses of their pods; pods with a host name have names below them.
 */
export function serviceNames(
  services: readonly Service[],
  sliceOf: (service: Service) => EndpointSlice | undefined,
): ServiceNames {
  const everywhere: HostsEntry[] = [];
  const inNamespace = new Map<string, HostsEntry[]>();
  for (const service of services) {
    const { name, namespace = "" } = service.metadata;
    const full = `${name}.${namespace}.svc`;
    const names = [full, `${full}.${DOMAIN}`, `${name}.${namespace}`];
    const { clusterIP = "" } = service.spec;
    const headless = clusterIP === "None";
    const found = headless ? addresses(sliceOf(service)) : [];
    const all = clusterIP === "" || headless ? found : [{ ip: clusterIP, hostname: undefined }];
    for (const { ip, hostname } of all) {
      const own = hostname === undefined ? [] : names.map((one) => `${hostname}.${one}`);
      everywhere.push({ address: ip, names: [...own, ...names] });
      const short = inNamespace.get(namespace) ?? [];
      short.push({ address: ip, names: hostname === undefined ? [name] : [`${hostname}.${name}`, name] });
      inNamespace.set(namespace, short);
    }
  }
  return { everywhere, inNamespace };
}

function addresses(slice: EndpointSlice | undefined): { ip: string; hostname: string | undefined }[] {
  return (slice?.endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready === true)
    .flatMap(({ addresses: all, hostname }) => all.map((ip) => ({ ip, hostname })));
}

/** The text of a pod's `/etc/hosts`. */
export function hostsFile(pod: Pod, ip: string, hostAddress: string, services: ServiceNames): string {
  const { hostname = pod.metadata.name, subdomain, hostAliases = [] } = pod.spec;
  const namespace = pod.metadata.namespace ?? "";
  const full = subdomain === undefined ? [] : [`${hostname}.${subdomain}.${namespace}.svc.${DOMAIN}`];
  const line = ({ address, names }: HostsEntry): string => `${address}\t${names.join("\t")}\n`;
  return [
    "# Kubernetes-managed hosts file.\n",
    line({ address: "127.0.0.1", names: ["localhost"] }),
    line({ address: "::1", names: ["localhost", "ip6-localhost", "ip6-loopback"] }),
    line({ address: ip, names: [...full, hostname] }),
    line({ address: hostAddress, names: [HOST_NAME] }),
    ...hostAliases.map(({ ip: address, hostnames = [] }) => line({ address, names: hostnames })),
    ...services.everywhere.map(line),
    ...(services.inNamespace.get(namespace) ?? []).map(line),
  ].join("");
}
