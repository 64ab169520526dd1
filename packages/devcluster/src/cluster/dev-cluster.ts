import { tmpdir } from "node:os";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { admissionPlugins } from "../admission/admission-plugins.ts";
import { type Api, ApiServer, createApi, type TlsOptions, type User } from "@kindling/api-server";
import { ADMIN, MASTERS } from "../auth/cluster-users.ts";
import { clusterService } from "./cluster-service.ts";
import { builtInTypes } from "../types/built-in-types.ts";
import { kubernetesSchema } from "../types/fields/kubernetes-schema.ts";
import { type Certificate, CertificateAuthority } from "@kindling/x509";
import { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { TokenSigner } from "../auth/token-signer.ts";
import type { Controller } from "../controllers/controller.ts";
import { EventRecorder } from "../controllers/event-recorder.ts";
import { ApiFaults } from "../faults/api-faults.ts";
import { injectFaults } from "../faults/inject-faults.ts";
import { PodFaults } from "../faults/pod-faults.ts";
import { Kubelet } from "../kubelet/kubelet.ts";
import type { ServiceNetwork } from "../runtime/runtime.ts";
import { bootstrap, publishApi, registerNode } from "./bootstrap.ts";
import { clusterView } from "./cluster-view.ts";
import { controllers } from "./controllers.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import {
  type DevClusterOptions,
  type NodeOptions,
  type ResolvedNode,
  type ResolvedOptions,
  resolveNode,
  resolveOptions,
} from "./options.ts";

/** For runtimes whose pods have no network. */
const NO_NETWORK: ServiceNetwork = { prefix: "10.96", lowPorts: true, nodeAddress: undefined };

/** The parts of a cluster before it listens. */
interface Parts {
  readonly api: Api;
  readonly server: ApiServer;
  readonly tokens: ServiceAccountTokens;
  readonly controllers: readonly Controller[];
  readonly kubelet: Kubelet;
  readonly faults: ApiFaults;
  readonly podFaults: PodFaults;
  readonly authority: CertificateAuthority;
}

/**
 * A Kubernetes cluster in this process: an API server, the controllers, a scheduler, and nodes with a runtime for their pods.
 */
export class DevCluster {
  /** Where the API server listens. */
  readonly url: string;
  /** Fault switches of the API server. */
  readonly faults: ApiFaults;
  /** Things that happen to pods and nodes, on command. */
  readonly podFaults: PodFaults;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The CA certificate of the cluster, in PEM; undefined over plain HTTP. */
  readonly authority: string | undefined;
  readonly #options: ResolvedOptions;
  readonly #parts: Parts;
  readonly #join: (node: ResolvedNode) => void;
  #stopped: Promise<void> | undefined;

  private constructor(options: ResolvedOptions, parts: Parts, url: string, join: (node: ResolvedNode) => void) {
    this.#options = options;
    this.#join = join;
    this.#parts = parts;
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
    let nodes = 0;
    const join = (node: ResolvedNode): void => {
      nodes += 1;
      const ip = network.nodeAddress ?? `10.200.${nodes >> 8}.${nodes & 0xff}`;
      registerNode(parts.api, node, ip, options.runtime);
      parts.kubelet.addNode(node.name, ip);
    };
    options.nodes.forEach(join);
    parts.kubelet.start();
    const host = options.host.includes(":") ? `[${options.host}]` : options.host;
    return new DevCluster(options, parts, `${options.tls ? "https" : "http"}://${host}:${address.port}`, join);
  }

  /**
   * A kubeconfig as text, for the administrator or for a user with the rights of some groups. The administrator's contains a
   * token; others contain a client certificate, which needs HTTPS. Spark's own client cannot read a certificate with this
   * kind of key (fabric8 treats it as an RSA key).
   */
  kubeconfig(login: "token" | "certificate" | Pick<User, "name" | "groups"> = "token"): string {
    const place = { url: this.url, authority: this.authority };
    if (login === "token") {
      return kubeconfigText({ ...place, token: this.#options.anonymous === "nobody" ? this.token : undefined });
    }
    const { name, groups } = login === "certificate" ? { name: ADMIN.name, groups: [MASTERS] } : login;
    const client = this.#parts.authority.issue({ kind: "client", commonName: name, organizations: groups });
    return kubeconfigText({ ...place, client });
  }

  /**
   * Issues a token of a service account, as the `token` subresource does.
   *
   * @throws KindlingError if the account does not exist.
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

  /**
   * Issues a certificate for a server outside of the cluster, from the CA that pods and the kubeconfig trust.
   *
   * @param hosts names and addresses of the server.
   */
  serverCertificate(commonName: string, hosts: readonly string[]): Certificate {
    return this.#parts.authority.issue({ kind: "server", commonName, hosts });
  }

  /** A further node joins the cluster, and is ready at once. */
  addNode(node: NodeOptions & { readonly name: string }): void {
    this.#join(resolveNode(node, node.name, this.#options.runtime));
  }

  /** Ends the cluster and everything in it. Can be called more than once. */
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
  const api = createApi({
    clock,
    random,
    history: options.history,
    resources: builtInTypes(schema),
    admission: (store) => admissionPlugins(store, random, network.prefix),
  });
  const authority = new CertificateAuthority(clock, random, "kindling-devcluster");
  const tokens = new ServiceAccountTokens(api, new TokenSigner());
  const events = new EventRecorder(api);
  const kubelet = new Kubelet({ api, events, tokens, runtime });
  const faults = new ApiFaults({
    compact: () => api.store.compact(),
    resetConnections: () => server.resetConnections(),
    restart: async () => {
      await server.crash();
      api.store.compact();
      const tls = options.tls ? tlsOptions(options, authority, network) : undefined;
      await server.listen({ host: options.host, port: address.port, tls });
    },
  });
  const server: ApiServer = new ApiServer({
    ...clusterService({
      api,
      schema,
      tokens,
      logs: kubelet,
      adminToken: options.token,
      anonymous: options.anonymous,
      authorization: options.authorization,
    }),
    arrived: injectFaults(faults, clock, (remotePort) => server.resetConnection(remotePort)),
    staleness: {
      listLag: () => faults.listLag,
      hidesEvent: (type, event) => faults.drops(type, event),
    },
  });
  return {
    api,
    server,
    tokens,
    controllers: controllers(
      { api, events },
      {
        certificate: authority.certificate,
        volumeFolder: runtime.volumeFolder ?? join(tmpdir(), "kindling-devcluster-volumes"),
      },
    ),
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
  const hosts = [...new Set([options.host, "127.0.0.1", ...names, `${network.prefix}.0.1`])];
  const { certificate, key } = authority.issue({ kind: "server", commonName: "kube-apiserver", hosts });
  return { certificate, key, clientAuthority: authority.certificate };
}

async function listen(
  options: ResolvedOptions,
  { server, controllers: all }: Parts,
  tls: TlsOptions | undefined,
  port: number,
): Promise<number> {
  try {
    return await server.listen({ host: options.host, port, tls });
  } catch (error) {
    for (const controller of all) controller.stop();
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EADDRINUSE") throw error;
    const hint = "choose another port, or 0 for any free one";
    throw new KindlingError("ARGUMENT_INVALID", `port ${port} of ${options.host} is taken`, { hint, cause: error });
  }
}
