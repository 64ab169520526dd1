import { jsonEqual } from "@kindling/kube-objects";
import { isIP } from "node:net";
import type { Service, ServicePort } from "../../objects/core.ts";
import {
  type ResourceDefinition,
  columns,
  dns1035Label,
  dnsLabel,
  duplicate,
  type FieldError,
  formatLabels,
  invalidValue,
  namedCells,
  notSupported,
  orNone,
  portNumber,
  required,
  validateLabels,
} from "@kindling/api-server";
import { validatePort } from "../../validation/port.ts";

const TYPES = ["ClusterIP", "LoadBalancer", "NodePort"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Services. An admission plugin assigns their addresses, because it sees the other services. */
export const services: ResourceDefinition = {
  kind: "Service",
  shortNames: ["svc"],
  categories: ["all"],
  status: true,
  columns: {
    ...columns("Name | Type | Cluster-IP | External-IP | Port(s) | Age | Selector*", () => []),
    cells: (object, now) => {
      const service = object as Service;
      const [name = "", ...rest] = namedCells((own) => serviceCells(own as Service))(service, now);
      return [name, ...rest, formatLabels(service.spec.selector)];
    },
  },
  rules: {
    nameRule: dns1035Label,
    createOnUpdate: true,
    returnsDeleted: true,
    setDefaults: (object) => setServiceDefaults(object as Service),
    prepareCreate: (object) => {
      object["status"] = { loadBalancer: {} };
    },
    validate: (object) => validateService(object as Service),
    prepareUpdate: ({ next, current }) => keepAddresses(next as Service, current as Service),
    validateUpdate: ({ next, current }) => [
      ...immutableAddress(next as Service, current as Service),
      ...validateService(next as Service),
    ],
    selectableFields: (object) => {
      const { spec } = object as Partial<Service>;
      return { "spec.clusterIP": spec?.clusterIP ?? "", "spec.type": spec?.type ?? "" };
    },
  },
};

function setServiceDefaults({ spec }: Service): void {
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === 0 || port.targetPort === "" || port.targetPort === undefined) port.targetPort = port.port;
  }
  const outside = spec.type === "NodePort" || spec.type === "LoadBalancer";
  if (outside) spec.externalTrafficPolicy ??= "Cluster";
  if (outside || spec.type === "ClusterIP") spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") {
    spec.allocateLoadBalancerNodePorts ??= true;
  }
}

function validateService({ spec }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  const headless = spec.clusterIP === "None";
  if (ports.length === 0 && !headless) errors.push(required("spec.ports"));
  errors.push(...validatePorts(ports, headless));
  errors.push(...validateLabels(spec.selector, "spec.selector"));
  if (!TYPES.includes(spec.type ?? "")) errors.push(notSupported("spec.type", spec.type, TYPES));
  const address = spec.clusterIP ?? "";
  if (address !== "" && address !== "None" && isIP(address) === 0) {
    errors.push(invalidValue("spec.clusterIPs[0]", address, IP_MESSAGE));
  }
  return errors;
}

const IP_MESSAGE = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

function validatePorts(ports: readonly ServicePort[], headless: boolean): FieldError[] {
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    const { name = "", protocol = "", targetPort } = port;
    const errors: FieldError[] = [];
    if (name === "") {
      if (ports.length > 1) errors.push(required(`${at}.name`));
    } else {
      errors.push(...dnsLabel(name).map((why) => invalidValue(`${at}.name`, name, why)));
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    errors.push(...portNumber(port.port).map((why) => invalidValue(`${at}.port`, port.port, why)));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${at}.protocol`, protocol, PROTOCOLS));
    errors.push(...validatePort(targetPort, `${at}.targetPort`));
    const key = `${protocol}/${port.port}`;
    if (numbers.has(key) && !headless) {
      // The server shows its own form of a port here.
      errors.push(
        duplicate(at, { Name: "", Protocol: protocol, AppProtocol: null, Port: port.port, TargetPort: 0, NodePort: 0 }),
      );
    }
    numbers.add(key);
    return errors;
  });
}

// Clients that apply a service again do not know the addresses that it got.
function keepAddresses(next: Service, current: Service): void {
  const [spec, old] = [next.spec, current.spec];
  if ((spec.clusterIP ?? "") === "") {
    if (old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if (old.clusterIPs !== undefined) spec.clusterIPs = old.clusterIPs;
  }
  if (old.ipFamilies !== undefined) spec.ipFamilies ??= old.ipFamilies;
  if (old.ipFamilyPolicy !== undefined) spec.ipFamilyPolicy ??= old.ipFamilyPolicy;
  const outside = spec.type === "NodePort" || spec.type === "LoadBalancer";
  for (const port of spec.ports ?? []) {
    const before = old.ports?.find(({ port: number, protocol }) => number === port.port && protocol === port.protocol);
    if (before?.nodePort === undefined) continue;
    if (outside) port.nodePort = port.nodePort || before.nodePort;
    else if (port.nodePort === before.nodePort) delete port.nodePort;
  }
  if (!outside && spec.externalTrafficPolicy === old.externalTrafficPolicy) delete spec.externalTrafficPolicy;
}

function immutableAddress(next: Service, current: Service): FieldError[] {
  const [spec, old] = [next.spec, current.spec];
  if ((old.clusterIP ?? "") === "") return [];
  if (jsonEqual(spec.clusterIP, old.clusterIP)) return [];
  return [invalidValue("spec.clusterIPs[0]", [spec.clusterIP], "may not change once set")];
}

function serviceCells({ spec, status }: Service): (string | number)[] {
  const ports = (spec.ports ?? []).map(({ port, nodePort = 0, protocol = "TCP" }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return [spec.type ?? "", orNone(spec.clusterIP), externalAddress({ spec, status }), orNone(ports.join(","))];
}

function externalAddress({ spec, status }: Pick<Service, "spec" | "status">): string {
  const external = spec.externalIPs ?? [];
  if (spec.type !== "LoadBalancer") return orNone(external.join(","));
  const given = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? "");
  return orNone([...given, ...external].join(","), "<pending>");
}
