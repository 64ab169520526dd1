import { isDnsLabel, KindlingError, SPARK_CONNECT_PORT } from "@kindling/core-spec";
import { isObjectNotFound, type KubeClient, resources } from "@kindling/kube";
import type { Pod, Service, ServicePort } from "kubernetes-types/core/v1.js";
import type { ConnectAddress } from "./connect-address.ts";

/** What the chart's service of Spark Connect has. */
export const CONNECT_SERVICE: string = "app.kubernetes.io/component=connect,app.kubernetes.io/part-of=kindling";

/** Kubernetes' name for HTTP/2 without TLS. */
const CLEAR_TEXT = "kubernetes.io/h2c";

/** A service of the cluster, and the port of it that Spark Connect is served on. */
export interface ConnectService {
  readonly namespace: string;
  readonly name: string;
  readonly port: ServicePort;
  readonly selector: Readonly<Record<string, string>>;
}

/** The service that an address names, as clients inside of the cluster write it; `undefined` if it names none. */
export function serviceNameIn({
  host,
}: ConnectAddress): { readonly name: string; readonly namespace: string } | undefined {
  const [, name = "", namespace = ""] = /^([^.]+)\.([^.]+)\.svc(?:\.[\w.-]+)?\.?$/.exec(host) ?? [];
  return isDnsLabel(name) && isDnsLabel(namespace) ? { name, namespace } : undefined;
}

/**
 * The port of a service for Spark Connect: that of the address or, without one, the one with the usual name or number, else the
 * first.
 */
export function connectService({ metadata = {}, spec = {} }: Service, wanted?: number): ConnectService | undefined {
  const { ports = [], selector = {} } = spec;
  const port =
    wanted === undefined
      ? (ports.find(({ name, port: number }) => name === "spark-connect" || number === SPARK_CONNECT_PORT) ?? ports[0])
      : ports.find(({ port: number }) => number === wanted);
  if (port === undefined) return undefined;
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "", port, selector };
}

/** The address of a service: that of its load balancer, else that for clients inside of the cluster. */
export function addressOf({ status }: Service, { namespace, name, port }: ConnectService): ConnectAddress {
  const [outside] = status?.loadBalancer?.ingress ?? [];
  const host = outside?.hostname ?? outside?.ip ?? `${name}.${namespace}.svc`;
  const parameters: Record<string, string> = port.appProtocol === CLEAR_TEXT ? {} : { use_ssl: "true" };
  return { host: host.includes(":") ? `[${host}]` : host, port: port.port, parameters };
}

/**
 * A pod that is ready to serve, and its port.
 *
 * @throws KindlingError `POD_FAILED` if there is none; KubeError
 */
export async function podBehind(
  client: KubeClient,
  { namespace, name, port, selector }: ConnectService,
  signal: AbortSignal,
): Promise<{ readonly pod: string; readonly port: number }> {
  const labels = Object.entries(selector).map((entry) => entry.join("="));
  // Without a selector it would be any pod.
  const { items } =
    labels.length === 0
      ? { items: [] }
      : await client.listAll<Pod>(resources.pods, { namespace, labelSelector: labels.join(","), signal });
  const pod = items.find(isReady);
  const number = pod && portIn(pod, port.targetPort ?? port.port);
  if (pod !== undefined && number !== undefined) return { pod: pod.metadata?.name ?? "", port: number };
  throw new KindlingError("POD_FAILED", `service ${name} in namespace ${namespace} has no pod that is ready`, {
    hint: `kubectl -n ${namespace} get pods -l ${labels.join(",")} shows them`,
  });
}

/**
 * The service with this name.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND` if there is none with this port; KubeError
 */
export async function serviceNamed(
  client: KubeClient,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  port: number,
  signal: AbortSignal,
): Promise<ConnectService> {
  const service = await client.get(resources.services, name, { namespace, signal }).catch((error: unknown) => {
    if (isObjectNotFound(error, resources.services, name)) return undefined;
    throw error;
  });
  const found = service && connectService(service, port);
  if (found !== undefined) return found;
  const what = service === undefined ? "there is no such service" : `it has no port ${port}`;
  throw new KindlingError("OBJECT_NOT_FOUND", `service ${name} in namespace ${namespace}: ${what}`, {
    hint: `kubectl -n ${namespace} get services shows those that are there`,
  });
}

function isReady({ metadata, status }: Pod): boolean {
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  return !isDeleted && status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}

function portIn({ spec }: Pod, wanted: string | number): number | undefined {
  if (typeof wanted === "number") return wanted;
  const ports = (spec?.containers ?? []).flatMap(({ ports: own = [] }) => own);
  return ports.find(({ name }) => name === wanted)?.containerPort;
}
