import { objectKey } from "@kindling/kube-objects";
import type { EndpointSlice, Service, ServicePort } from "../../../objects/core.ts";
import { Relay, type Target } from "./relay.ts";

interface Entry {
  readonly relay: Promise<Relay | undefined>;
  used: boolean;
}

/** Makes services with their own address reachable: each port is a relay to the pods behind it. */
export class ServiceRelays {
  readonly #entries = new Map<string, Entry>();

  /** Updates the relays to the services. Fulfilled when they listen. */
  async update(services: readonly Service[], sliceOf: (service: Service) => EndpointSlice | undefined): Promise<void> {
    for (const entry of this.#entries.values()) entry.used = false;
    for (const service of services) {
      const { clusterIP = "" } = service.spec;
      if (clusterIP === "" || clusterIP === "None") continue;
      for (const port of service.spec.ports ?? []) {
        if ((port.protocol ?? "TCP") !== "TCP") continue;
        this.#set(service, clusterIP, port, targetsOf(port, sliceOf(service)));
      }
    }
    for (const [key, entry] of this.#entries) {
      if (entry.used) continue;
      this.#entries.delete(key);
      void entry.relay.then((relay) => relay?.close());
    }
    await Promise.all([...this.#entries.values()].map(async ({ relay }) => await relay));
  }

  async close(): Promise<void> {
    await this.update([], () => undefined);
  }

  #set({ metadata }: Service, address: string, { port }: ServicePort, targets: readonly Target[]): void {
    const key = `${objectKey(metadata.namespace, metadata.name)} ${address}:${port}`;
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#entries.set(key, { relay: Relay.listen(address, port, targets), used: true });
      return;
    }
    known.used = true;
    void known.relay.then((relay) => {
      if (relay !== undefined) relay.targets = targets;
    });
  }
}

function targetsOf({ name = "" }: ServicePort, slice: EndpointSlice | undefined): Target[] {
  const port = slice?.ports.find((one) => one.name === name)?.port;
  if (slice === undefined || port === undefined) return [];
  return slice.endpoints
    .filter(({ conditions }) => conditions?.ready === true)
    .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
}
