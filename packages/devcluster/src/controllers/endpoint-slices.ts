import { controllerReference, jsonEqual } from "@kindling/kube-objects";
import { selectorFromLabels } from "@kindling/api-server";
import { isTrue } from "../objects/conditions.ts";
import { type Endpoint, type EndpointSlice, SERVICE_NAME, type Service, type ServicePort } from "../objects/core.ts";
import { type Pod, containersOf, isFinished } from "../objects/pod.ts";
import { QueueController } from "./queue-controller.ts";

const MANAGED_BY = { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" };

/** Keeps an endpoint slice up to date for each service that selects pods. It is deleted with its service. */
export class EndpointSliceController extends QueueController {
  override start(): void {
    const { store } = this.context.api;
    const services = store.collection("services");
    this.follow(services, ({ object }) => this.add(object.object));
    this.follow(store.collection("pods"), ({ object, previous }) => {
      if (services.size > 0) this.#podChanged(object.object as Pod, previous?.object as Pod | undefined);
    });
    for (const { object } of services.list()) this.add(object);
  }

  #podChanged(pod: Pod, previous: Pod | undefined): void {
    for (const { object } of this.context.api.store.collection("services").list(pod.metadata.namespace)) {
      const { selector } = (object as Service).spec;
      if (selector === undefined) continue;
      const matches = selectorFromLabels(selector);
      if (matches(pod.metadata.labels) || matches(previous?.metadata.labels)) this.add(object);
    }
  }

  protected override sync(key: string): void {
    const { store } = this.context.api;
    const service = store.collection("services").getByKey(key)?.object as Service | undefined;
    const selector = service?.spec.selector ?? {};
    if (service === undefined || Object.keys(selector).length === 0) return;
    const matches = selectorFromLabels(selector);
    const pods = [...store.collection("pods").list(service.metadata.namespace)]
      .map(({ object }) => object as Pod)
      .filter((pod) => matches(pod.metadata.labels) && (pod.status.podIP ?? "") !== "" && !isFinished(pod));
    this.#write(service, pods);
  }

  #write(service: Service, pods: readonly Pod[]): void {
    const { types, store, random } = this.context.api;
    const type = types.builtIn("endpointslices", "discovery.k8s.io");
    const { namespace, name } = service.metadata;
    const own = [...store.collection(type.storageKey).list(namespace)].find(
      ({ object }) => object.metadata.labels?.[SERVICE_NAME] === name,
    )?.object as EndpointSlice | undefined;
    const endpoints = pods.map((pod) => endpointOf(service, pod));
    const ports = portsFor(service, pods[0]);
    if (own === undefined) {
      const suffix = Buffer.from(random.bytes(4)).toString("hex").slice(0, 5);
      const metadata = {
        name: `${name}-${suffix}`,
        generateName: `${name}-`,
        labels: { [SERVICE_NAME]: name, ...MANAGED_BY },
        ownerReferences: [controllerReference(service)],
      };
      this.writer.create(type, namespace, { metadata, addressType: "IPv4", endpoints, ports });
    } else if (!jsonEqual(own.endpoints, endpoints) || !jsonEqual(own.ports, ports)) {
      this.writer.update(type, own.metadata, (object) => ({ ...object, endpoints, ports }));
    }
  }
}

function endpointOf({ metadata: service, spec: { publishNotReadyAddresses } }: Service, pod: Pod): Endpoint {
  const { name, namespace = "", uid, deletionTimestamp } = pod.metadata;
  const { hostname, subdomain, nodeName } = pod.spec;
  const terminating = deletionTimestamp !== undefined;
  const serving = isTrue(pod.status.conditions, "Ready");
  const ready = publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses: [pod.status.podIP ?? ""],
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && subdomain === service.name && { hostname }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(nodeName !== undefined && { nodeName }),
  };
}

function portsFor(service: Service, pod: Pod | undefined): EndpointSlice["ports"] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = targetPort(port, pod);
    return number === undefined ? [] : [{ name: port.name ?? "", port: number, protocol: port.protocol ?? "TCP" }];
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
