import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevCluster } from "@kindling/devcluster";
import { createKubeClient, type KubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { CUSTOM_RESOURCES } from "./custom-resources.ts";
import { NAMESPACE } from "./render.ts";

/** The embedded cluster, with namespaces, and with other projects' kinds that the chart uses. */
export class EmbeddedCluster {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  readonly #cluster: DevCluster;
  readonly #folder: string;

  private constructor(cluster: DevCluster, client: KubeClient, folder: string) {
    this.#cluster = cluster;
    this.client = client;
    this.#folder = folder;
    this.kubeconfig = join(folder, "kubeconfig");
  }

  static async start(): Promise<EmbeddedCluster> {
    const cluster = await DevCluster.start({ tls: true, authorization: "rbac" });
    const folder = await mkdtemp(join(tmpdir(), "kindling-chart-"));
    const path = join(folder, "kubeconfig");
    await writeFile(path, cluster.kubeconfig());
    const client = createKubeClient(await loadClusterAccess({ env: { KUBECONFIG: path } }), { namespace: NAMESPACE });
    const embedded = new EmbeddedCluster(cluster, client, folder);
    for (const name of [NAMESPACE, "etl", "adhoc"]) await embedded.#create("v1", "Namespace", { metadata: { name } });
    for (const definition of CUSTOM_RESOURCES) {
      await embedded.#create("apiextensions.k8s.io/v1", "CustomResourceDefinition", definition);
    }
    return embedded;
  }

  async #create(apiVersion: string, kind: string, object: object): Promise<void> {
    const type = await this.client.resourceFor(apiVersion, kind);
    await this.client.create(type, { ...object, apiVersion, kind });
  }

  /** Kind and name of all objects of the kinds that a chart creates, except those that every namespace has. */
  async objects(): Promise<string[]> {
    const names: string[] = [];
    for (const [apiVersion, kind] of KINDS) {
      const type = await this.client.resourceFor(apiVersion, kind);
      const { items } = await this.client.listAll(type, { allNamespaces: true });
      names.push(...items.map(({ metadata }) => `${kind} ${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`));
    }
    return names.filter((name) => !/^ConfigMap .*kube-root-ca.crt$|^ServiceAccount .*\/default$/.test(name)).toSorted();
  }

  /** The entries of a Secret, decoded. */
  async secret(name: string): Promise<Readonly<Record<string, string>>> {
    const { data = {} } = (await this.client.get(resources.secrets, name)) as { data?: Record<string, string> };
    return Object.fromEntries(
      Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text, "base64").toString()]),
    );
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.#cluster.stop();
    await rm(this.#folder, { recursive: true });
  }
}

const RBAC = "rbac.authorization.k8s.io/v1";
const KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ["v1", "ConfigMap"],
  ["v1", "Secret"],
  ["v1", "Service"],
  ["v1", "ServiceAccount"],
  ["v1", "PersistentVolumeClaim"],
  ["apps/v1", "Deployment"],
  ["coordination.k8s.io/v1", "Lease"],
  ["networking.k8s.io/v1", "NetworkPolicy"],
  ["policy/v1", "PodDisruptionBudget"],
  [RBAC, "Role"],
  [RBAC, "RoleBinding"],
  [RBAC, "ClusterRole"],
  [RBAC, "ClusterRoleBinding"],
];
