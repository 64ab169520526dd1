import { objectKey } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { type EndpointSlice, SERVICE_NAME, type Service } from "../../../objects/core.ts";
import type { Pod } from "../../../objects/pod.ts";
import type { ClusterView } from "../../runtime.ts";
import type { AddressRange } from "./address-range.ts";
import { type ServiceNames, hostsFile, serviceNames } from "./hosts-file.ts";
import { ServiceRelays } from "./service-relays.ts";

/** Pods use this machine's own network. */
export const HOST_ADDRESS = "127.0.0.1";
const SLICES = "endpointslices.discovery.k8s.io";
/** Changes within a short time are handled together. */
const DELAY = 5;

/** A pod's part of the network. */
export interface PodConnection {
  readonly ip: string;
  /** The current text of the pod's `/etc/hosts`. */
  hosts(): string;
  close(): void;
}

/** Gives pods addresses and names, and services relays. */
export class PodNetwork {
  readonly #range: AddressRange;
  readonly #clock: Clock;
  readonly #relays = new ServiceRelays();
  readonly #pods = new Set<() => void>();
  #names: ServiceNames = { everywhere: [], inNamespace: new Map() };
  #cluster: ClusterView | undefined;
  #settled: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => undefined;
  #scheduled: (() => void) | undefined;

  constructor(range: AddressRange, clock: Clock) {
    this.#range = range;
    this.#clock = clock;
  }

  attach(cluster: ClusterView): void {
    this.#cluster = cluster;
    this.#unfollow = cluster.follow((resource) => {
      if (resource !== "services" && resource !== SLICES) return;
      this.#scheduled ??= this.#clock.after(DELAY, () => this.#update());
    });
    this.#update();
  }

  /** Connects a pod when the existing services can be reached. `onHosts` is called when its names change. */
  async connect(pod: Pod, onHosts: (text: string) => void): Promise<PodConnection> {
    if (this.#scheduled !== undefined) this.#update();
    await this.#settled;
    const ip = pod.spec.hostNetwork === true ? HOST_ADDRESS : this.#range.take();
    const hosts = (): string => hostsFile(pod, ip, HOST_ADDRESS, this.#names);
    const tell = (): void => onHosts(hosts());
    this.#pods.add(tell);
    const close = (): void => {
      if (this.#pods.delete(tell) && ip !== HOST_ADDRESS) this.#range.giveBack(ip);
    };
    return { ip, hosts, close };
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#scheduled?.();
    this.#cluster = undefined;
    await this.#relays.close();
  }

  #update(): void {
    this.#scheduled?.();
    this.#scheduled = undefined;
    const cluster = this.#cluster;
    if (cluster === undefined) return;
    const services = [...cluster.list("services")] as Service[];
    const slices = new Map(
      [...cluster.list(SLICES)].map((slice) => [
        objectKey(slice.metadata.namespace, slice.metadata.labels?.[SERVICE_NAME] ?? ""),
        slice as EndpointSlice,
      ]),
    );
    const sliceOf = ({ metadata }: Service): EndpointSlice | undefined =>
      slices.get(objectKey(metadata.namespace, metadata.name));
    this.#settled = this.#relays.update(services, sliceOf);
    const before = this.#names;
    this.#names = serviceNames(services, sliceOf);
    if (JSON.stringify(namesOf(before)) === JSON.stringify(namesOf(this.#names))) return;
    for (const tell of this.#pods) tell();
  }
}

function namesOf({ everywhere, inNamespace }: ServiceNames): unknown {
  return [everywhere, ...inNamespace];
}
