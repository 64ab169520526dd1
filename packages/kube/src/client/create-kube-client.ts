import { systemClock } from "@kindling/outside";
import { parseJsonAnswer } from "../answers/malformed.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { RetryPolicy } from "../transport/transport-options.ts";
import { createTransport } from "../transport/transport.ts";
import { discovery } from "./discovery.ts";
import type { KubeClient, RawRequest } from "./kube-client.ts";
import { listAll, listPages } from "./list-pages.ts";
import { objectCalls } from "./object-calls.ts";
import type { KubeClientOptions, Selection } from "./options.ts";
import { services } from "./services.ts";
import { watch } from "./watch.ts";

const DEFAULT_RETRY: RetryPolicy = { limit: 4, baseMs: 100, capMs: 5_000 };

/** Opens no connection before the first call. */
export function createKubeClient(access: ClusterAccess, options: KubeClientOptions = {}): KubeClient {
  const namespace = options.namespace ?? access.namespace ?? "default";
  const random = options.random ?? Math.random;
  const clock = options.clock ?? systemClock;
  const transport = createTransport(access, {
    userAgent: options.userAgent ?? "kindling-kube",
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    maxInFlight: options.maxInFlight ?? 64,
    rateLimit: options.rateLimit,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    clock,
    random,
    onAttempt: options.onAttempt,
  });
  const scopeOf = (selection: Selection): string | undefined =>
    selection.allNamespaces === true ? undefined : (selection.namespace ?? namespace);

  async function request<T>(raw: RawRequest): Promise<T> {
    const body = raw.body === undefined ? undefined : JSON.stringify(raw.body);
    const repeatable = raw.method === "POST" ? "unless-done" : "always";
    return parseJsonAnswer(raw, await transport.send({ ...raw, body, repeatable })) as T;
  }

  const client: KubeClient = {
    access,
    namespace,
    ...objectCalls(transport, namespace),
    async deleteCollection(type, options = {}) {
      const { deleteCollection } = await import("./delete-collection.ts");
      await deleteCollection(client, transport, type, scopeOf(options), options);
    },
    list: (type, options = {}) => listPages(transport, type, scopeOf(options), options, clock),
    listAll: (type, options = {}) => listAll(client.list(type, options)),
    watch: (type, options = {}) => watch(transport, type, scopeOf(options), options, clock, random),
    async logs(pod, options = {}) {
      const { openLogs } = await import("./logs.ts");
      return openLogs(transport, options.namespace ?? namespace, pod, options);
    },
    async portForward(pod, port, options = {}) {
      const { portForward } = await import("./port-forward.ts");
      return await portForward(transport, { namespace: options.namespace ?? namespace, pod, port }, options);
    },
    resourceFor: discovery(transport),
    services: (limits) => services(transport.context, limits),
    request,
    close: () => transport.close(),
  };
  return client;
}
