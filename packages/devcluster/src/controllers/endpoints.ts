import { jsonEqual, objectKey, selectorFromLabels } from "@kindling/api-server";
import type { EndpointAddress, Endpoints, Service, ServicePort } from "../objects/core.ts";
import { isTrue } from "../objects/conditions.ts";
import { type Pod, containersOf, isFinished } from "../objects/pod.ts";
import type { Controller, ControllerContext } from "./controller.ts";
import { follow } from "./follow.ts";
import { SystemWriter, type Wanted } from "./system-writer.ts";
import { WorkQueue } from "./work-queue.ts";

/** Keeps the endpoints and endpoint slices of services in step with their pods. */
export class EndpointsController implements Controller {
  readonly #context: ControllerContext;
  readonly #writer: SystemWriter;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[] = [];

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#writer = new SystemWriter(context.api, "kube-controller-manager");
    this.#queue = new WorkQueue(context.api.clock, (key) => this.#sync(key));
  }

  start(): void {
    const { store } = this.#context.api;
    const services = store.collection("services");
    this.#stops.push(
      follow(services, ({ object: { object } }) =>
        this.#queue.add(objectKey(object.metadata.namespace, object.metadata.name)),
      ),
      follow(store.collection("pods"), ({ object, previous }) => {
        if (services.size === 0) return;
        this.#podChanged(object.object as Pod, previous?.object as Pod | undefined);
      }),
    );
    for (const { object } of services.list())
      this.#queue.add(objectKey(object.metadata.namespace, object.metadata.name));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  #podChanged(pod: Pod, previous: Pod | undefined): void {
    for (const { object } of this.#context.api.store.collection("services").list(pod.metadata.namespace)) {
      const { selector } = (object as Service).spec;
      if (selector === undefined) continue;
      const matches = selectorFromLabels(selector);
      if (matches(pod.metadata.labels) || matches(previous?.metadata.labels)) {
        this.#queue.add(objectKey(object.metadata.namespace, object.metadata.name));
      }
    }
  }

  #sync(key: string): void {
    const at = key.indexOf("/");
    const [namespace, name] = [key.slice(0, at), key.slice(at + 1)];
    const { store, types } = this.#context.api;
    const endpointsType = types.builtIn("endpoints");
    const service = store.collection("services").get(namespace, name)?.object as Service | undefined;
    if (service === undefined) {
      this.#writer.delete(endpointsType, { namespace, name });
      return;
    }
    const { selector } = service.spec;
    if (selector === undefined || Object.keys(selector).length === 0 || service.spec.type === "ExternalName") return;
    const matches = selectorFromLabels(selector);
    const pods = [...store.collection("pods").list(namespace)]
      .map(({ object }) => object as Pod)
      .filter((pod) => matches(pod.metadata.labels) && (pod.status.podIP ?? "") !== "" && !isFinished(pod));
    this.#writeEndpoints(service, pods);
    this.#writeSlice(service, pods);
  }

  #writeEndpoints(service: Service, pods: readonly Pod[]): void {
    const { types, store } = this.#context.api;
    const type = types.builtIn("endpoints");
    const { namespace, name, labels = {} } = service.metadata;
    const subsets = subsetsOf(service, pods);
    const headless = service.spec.clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {};
    const managed = { "endpoints.kubernetes.io/managed-by": "endpoint-controller" };
    const wanted = { ...labels, ...managed, ...headless };
    const current = store.collection("endpoints").get(namespace, name)?.object;
    if (current === undefined) {
      this.#writer.create(type, namespace, { metadata: { name, labels: wanted }, subsets });
    } else if (!jsonEqual(current.subsets ?? [], subsets) || !jsonEqual(current.metadata.labels, wanted)) {
      this.#writer.update(type, { namespace, name }, (object) => {
        const { subsets: _, ...rest } = object as Endpoints;
        const metadata = { ...rest.metadata, labels: wanted };
        return { ...rest, metadata, ...(subsets.length === 0 ? {} : { subsets }) };
      });
    }
  }

  #writeSlice(service: Service, pods: readonly Pod[]): void {
    const { types, store, random } = this.#context.api;
    const type = types.builtIn("endpointslices", "discovery.k8s.io");
    const { namespace, name, uid } = service.metadata;
    const own = [...store.collection(type.storageKey).list(namespace)].find(
      ({ object }) => object.metadata.labels?.["kubernetes.io/service-name"] === name,
    )?.object;
    const content = {
      addressType: "IPv4",
      endpoints: pods.map((pod) => sliceEndpoint(service, pod)),
      ports: portsFor(service, pods[0]).map(({ name: portName, port, protocol }) => ({
        name: portName ?? "",
        port,
        protocol,
      })),
    };
    if (own === undefined) {
      const suffix = Buffer.from(random.bytes(4)).toString("hex").slice(0, 5);
      const owner = { apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true };
      const labels = {
        "kubernetes.io/service-name": name,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
      };
      const metadata = { name: `${name}-${suffix}`, generateName: `${name}-`, labels, ownerReferences: [owner] };
      this.#writer.create(type, namespace, { metadata, ...content } as Wanted);
    } else if (!jsonEqual(own["endpoints"] ?? [], content.endpoints) || !jsonEqual(own["ports"] ?? [], content.ports)) {
      this.#writer.update(type, own.metadata, (object) => ({ ...object, ...content }) as typeof object);
    }
  }
}

function isReady(service: Service, pod: Pod): boolean {
  if (service.spec.publishNotReadyAddresses === true) return true;
  return isTrue(pod.status.conditions, "Ready") && pod.metadata.deletionTimestamp === undefined;
}

function subsetsOf(service: Service, pods: readonly Pod[]): NonNullable<Endpoints["subsets"]> {
  const ready = pods.filter((pod) => isReady(service, pod)).map((pod) => address(service, pod));
  const notReady = pods.filter((pod) => !isReady(service, pod)).map((pod) => address(service, pod));
  if (ready.length + notReady.length === 0) return [];
  const ports = portsFor(service, pods[0]);
  return [
    {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports }),
    },
  ];
}

function address({ metadata: service }: Service, { metadata, spec, status }: Pod): EndpointAddress {
  const { name, namespace = "", uid } = metadata;
  const named = spec.hostname !== undefined && spec.subdomain === service.name ? { hostname: spec.hostname } : {};
  return {
    ip: status.podIP ?? "",
    ...named,
    ...(spec.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function sliceEndpoint(service: Service, pod: Pod): object {
  const { ip, hostname, nodeName, targetRef } = address(service, pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const serving = isTrue(pod.status.conditions, "Ready");
  return {
    addresses: [ip],
    conditions: { ready: isReady(service, pod), serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef,
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

function portsFor(service: Service, pod: Pod | undefined): { name?: string; port: number; protocol: string }[] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = targetPort(port, pod);
    if (number === undefined) return [];
    const name = port.name ?? "";
    return [{ ...(name === "" ? {} : { name }), port: number, protocol: port.protocol ?? "TCP" }];
  });
}

function targetPort({ targetPort: target, port }: ServicePort, pod: Pod | undefined): number | undefined {
  if (typeof target === "number") return target;
  if (pod === undefined) return port;
  for (const container of containersOf(pod)) {
    const found = container.ports?.find(({ name }) => name === target);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
