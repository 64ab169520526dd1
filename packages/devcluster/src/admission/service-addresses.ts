import type { Service } from "../objects/core.ts";
import { type AdmissionPlugin, invalid, invalidValue, type Store } from "@kindling/api-server";

const NODE_PORTS = { first: 30000, last: 32767 };

/** Gives services their cluster address and node ports, each only once. The range is a /16, such as `10.96`. */
export function serviceAddresses(store: Store, prefix: string): AdmissionPlugin {
  let lastAddress = 10;
  let lastPort = NODE_PORTS.first - 1;
  const others = (own: Service): Service[] =>
    [...store.collection("services").list()]
      .map(({ object }) => object as Service)
      .filter(({ metadata }) => metadata.uid !== own.metadata.uid);

  function freeAddress(taken: ReadonlySet<string | undefined>): string {
    for (;;) {
      lastAddress = (lastAddress + 1) % 0xff00;
      const address = `${prefix}.${lastAddress >> 8}.${lastAddress & 0xff}`;
      if ((lastAddress & 0xff) !== 0 && !taken.has(address)) return address;
    }
  }

  function freePort(taken: ReadonlySet<number | undefined>): number {
    for (;;) {
      lastPort = lastPort >= NODE_PORTS.last ? NODE_PORTS.first : lastPort + 1;
      if (!taken.has(lastPort)) return lastPort;
    }
  }

  return {
    admit({ type, object, operation, dryRun }) {
      if (type.storageKey !== "services" || object === undefined || operation === "delete") return;
      const service = object as Service;
      const { spec } = service;
      const before = { address: lastAddress, port: lastPort };
      if ((spec.clusterIP ?? "") === "")
        spec.clusterIP = freeAddress(new Set(others(service).map((one) => one.spec.clusterIP)));
      else refuseTaken(service, others(service));
      spec.clusterIPs = [spec.clusterIP ?? ""];
      // The addresses of endpoints that a user writes by hand are not known.
      const handMade = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
      spec.ipFamilies ??= handMade ? ["IPv4", "IPv6"] : ["IPv4"];
      spec.ipFamilyPolicy ??= handMade ? "RequireDualStack" : "SingleStack";
      if (spec.type === "NodePort" || spec.type === "LoadBalancer") {
        const taken = new Set(others(service).flatMap((one) => (one.spec.ports ?? []).map(({ nodePort }) => nodePort)));
        for (const port of spec.ports ?? []) {
          if ((port.nodePort ?? 0) === 0) port.nodePort = freePort(taken);
          taken.add(port.nodePort);
        }
      }
      if (dryRun) {
        lastAddress = before.address;
        lastPort = before.port;
      }
    },
  };
}

function refuseTaken(service: Service, others: readonly Service[]): void {
  const address = service.spec.clusterIP ?? "";
  if (address === "None" || !others.some(({ spec }) => spec.clusterIP === address)) return;
  const why = `failed to allocate IP ${address}: provided IP is already allocated`;
  throw invalid("", "Service", service.metadata.name, [invalidValue("spec.clusterIPs", [address], why)]);
}
