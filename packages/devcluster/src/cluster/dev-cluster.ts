import { tmpdir } from "node:os";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { admissionPlugins } from "../api/admission/admission-plugins.ts";
import type { Api } from "../api/api.ts";
import { ApiServer, type TlsOptions } from "../api/api-server.ts";
import { createService } from "../api/create-service.ts";
import { ResourceTypes } from "../api/resource-types.ts";
import { builtInTypes } from "../api/resources/built-in-types.ts";
import type { Service } from "../api/routes/service.ts";
import { kubernetesSchema } from "../api/schema/kubernetes-schema.ts";
import { Store } from "../api/storage/store.ts";
import { type Certificate, CertificateAuthority } from "../auth/certificate-authority.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { ADMIN, MASTERS } from "../auth/user.ts";
import type { Controller } from "../controllers/controller.ts";
import { controllers } from "../controllers/controllers.ts";
import { EventRecorder } from "../controllers/event-recorder.ts";
import { ApiFaults } from "../faults/api-faults.ts";
import { PodFaults } from "../faults/pod-faults.ts";
import { Kubelet } from "../kubelet/kubelet.ts";
import type { ServiceNetwork } from "../runtime/runtime.ts";
import { bootstrap, publishApi, registerNode } from "./bootstrap.ts";
import { clusterView } from "./cluster-view.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { type DevClusterOptions, type ResolvedOptions, resolveOptions } from "./options.ts";

/** For runtimes whose pods have no network. */
const NO_NETWORK: ServiceNetwork = { prefix: "10.96", lowPorts: true, nodeAddress: undefined };

/** The parts of a cluster that is about to listen. */
interface Parts {
  readonly api: Api;
  readonly server: ApiServer;
  readonly service: Service;
  readonly tokens: ServiceAccountTokens;
  readonly controllers: readonly Controller[];
  readonly kubelet: Kubelet;
  readonly faults: ApiFaults;
  readonly podFaults: PodFaults;
  readonly authority: CertificateAuthority;
}

/** A Kubernetes in this process: an API server, the controllers, a scheduler, and nodes whose pods a runtime runs. */
export class DevCluster {
  /** Where the API server listens. */
  readonly url: string;
  /** Fault switches of the API server. */
  readonly faults: ApiFaults;
  /** Things that happen to pods and nodes, on command. */
  readonly podFaults: PodFaults;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The certificate of the cluster's authority, in PEM; undefined over plain HTTP. */
  readonly authority: string | undefined;
  readonly #options: ResolvedOptions;
  readonly #parts: Parts;
  readonly #client: Certificate | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(options: ResolvedOptions, parts: Parts, url: string, client: Certificate | undefined) {
    this.#options = options;
    this.#parts = parts;
    this.#client = client;
    this.url = url;
    this.token = options.token;
    this.faults = parts.faults;
    this.podFaults = parts.podFaults;
    this.authority = options.tls ? parts.authority.certificate : undefined;
  }

  /**
   * Starts a cluster. It is ready when the promise is fulfilled.
   *
   * @throws KindlingError if the port is taken, or if the runtime cannot run on this machine.
   */
  static async start(given: DevClusterOptions = {}): Promise<DevCluster> {
    const options = resolveOptions(given);
    const network = (await options.runtime.open?.()) ?? NO_NETWORK;
    try {
      return await DevCluster.#start(options, network);
    } catch (error) {
      await options.runtime.close();
      throw error;
    }
  }

  static async #start(options: ResolvedOptions, network: ServiceNetwork): Promise<DevCluster> {
    const address = { port: options.port };
    const parts = assemble(options, address, network);
    const tls = options.tls ? tlsOptions(options, parts.authority, network) : undefined;
    bootstrap(parts.api);
    for (const controller of parts.controllers) controller.start();
    address.port = await listen(options, parts, tls, options.port);
    publishApi(parts.api, network, options.host, address.port, options.tls);
    options.runtime.attach?.(clusterView(parts.api.store));
    options.nodes.forEach((node, index) => {
      const ip = network.nodeAddress ?? `10.200.${(index + 1) >> 8}.${(index + 1) & 0xff}`;
      registerNode(parts.api, node, ip, options.runtime);
      parts.kubelet.addNode(node.name, ip);
    });
    parts.kubelet.start();
    const client = options.tls
      ? parts.authority.issue({ kind: "client", commonName: ADMIN.name, organizations: [MASTERS] })
      : undefined;
    const host = options.host.includes(":") ? `[${options.host}]` : options.host;
    return new DevCluster(options, parts, `${options.tls ? "https" : "http"}://${host}:${address.port}`, client);
  }

  /**
   * A kubeconfig for the administrator, as text, with a token or, over HTTPS, a client certificate. Spark's own client
   * reads no certificate with a key of this kind (fabric8 takes it for an RSA key).
   */
  kubeconfig(login: "token" | "certificate" = "token"): string {
    const [client, token] = login === "certificate" ? [this.#client, undefined] : [undefined, this.token];
    const known = this.#options.anonymous === "nobody";
    return kubeconfigText({ url: this.url, authority: this.authority, client, token: known ? token : undefined });
  }

  /**
   * Issues a token of a service account, as the `token` subresource does.
   *
   * @throws KindlingError if there is no such account.
   */
  serviceAccountToken(
    namespace: string,
    name: string,
    audiences: readonly string[] = [],
    expirationSeconds: number = 3600,
  ): string {
    const account = this.#parts.api.store.collection("serviceaccounts").get(namespace, name)?.object;
    if (account === undefined)
      throw new KindlingError("OBJECT_NOT_FOUND", `no service account ${name} in namespace ${namespace}`);
    return this.#parts.tokens.issue({ account, audiences, expirationSeconds, bound: undefined }).token;
  }

  /** Ends the cluster with all that runs in it. Can be called more than once. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    await this.#stopped;
  }

  async #stop(): Promise<void> {
    for (const controller of this.#parts.controllers) controller.stop();
    this.#parts.kubelet.stop();
    await this.#options.runtime.close();
    await this.#parts.server.close();
  }
}

function assemble(options: ResolvedOptions, address: { port: number }, network: ServiceNetwork): Parts {
  const { clock, random, runtime } = options;
  const schema = kubernetesSchema();
  const store = new Store(options.history);
  const types = new ResourceTypes(builtInTypes(schema));
  const api: Api = { clock, random, store, types, admission: admissionPlugins(store, random, network.prefix) };
  const events = new EventRecorder(api);
  const server = new ApiServer();
  const authority = new CertificateAuthority(clock, random, "kindling-devcluster");
  let service: Service | undefined;
  const faults = new ApiFaults({
    compact: () => store.compact(),
    resetConnections: () => server.resetConnections(),
    restart: async () => {
      await server.crash();
      store.compact();
      const tls = options.tls ? tlsOptions(options, authority, network) : undefined;
      if (service !== undefined) await server.listen(service, { host: options.host, port: address.port, tls });
    },
  });
  // The kubelet needs tokens, the service needs the kubelet's logs: the one that is asked later comes later.
  let kubelet: Kubelet | undefined;
  const created = createService({
    api,
    schema,
    server,
    faults,
    logs: { read: (pod, container, query) => kubelet?.read(pod, container, query) },
    adminToken: options.token,
    anonymous: options.anonymous,
    authorization: options.authorization,
    address: () => `${options.host}:${address.port}`,
  });
  service = created.service;
  kubelet = new Kubelet({ api, events, tokens: created.tokens, runtime });
  const context = { api, events };
  return {
    api,
    server,
    service,
    tokens: created.tokens,
    controllers: controllers(context, {
      schema,
      certificate: authority.certificate,
      volumeFolder: options.volumeFolder ?? runtime.volumeFolder ?? join(tmpdir(), "kindling-devcluster-volumes"),
      onServed: created.serveScale,
    }),
    kubelet,
    faults,
    podFaults: new PodFaults(api, kubelet, runtime),
    authority,
  };
}

function tlsOptions(options: ResolvedOptions, authority: CertificateAuthority, network: ServiceNetwork): TlsOptions {
  const names = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ];
  const hosts = [...new Set([options.host, "127.0.0.1", ...names, `${network.prefix}.0.1`, ...options.hosts])];
  const { certificate, key } = authority.issue({ kind: "server", commonName: "kube-apiserver", hosts });
  return { certificate, key, clientAuthority: authority.certificate };
}

async function listen(
  options: ResolvedOptions,
  { server, service, controllers: all }: Parts,
  tls: TlsOptions | undefined,
  port: number,
): Promise<number> {
  try {
    return await server.listen(service, { host: options.host, port, tls });
  } catch (error) {
    for (const controller of all) controller.stop();
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EADDRINUSE") throw error;
    const hint = "choose another port, or 0 for any free one";
    throw new KindlingError("ARGUMENT_INVALID", `port ${port} of ${options.host} is taken`, { hint, cause: error });
  }
}
