import {
  type KubeObjectLike,
  createKubeClient,
  isNotFound,
  loadClusterAccess,
  resources,
  type KubeClient,
  type ResourceType,
} from "@kindling/kube";
import { randomBytes } from "node:crypto";
import { parseAllDocuments } from "yaml";

/** The Spark versions to test: the cluster's nodes must have the images `apache/spark:<version>`. */
export const SPARK_VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");

/** The versions for suites that do the same with several versions. A suite that uses only one takes the last of all. */
export const TRIED_VERSIONS = process.env["KINDLING_E2E_TRIED_VERSIONS"]?.split(",") ?? SPARK_VERSIONS;

/** Long tests run with all versions (`1`), with only the first, or not at all (`0`). */
const FULL = process.env["KINDLING_E2E_FULL"];

/** Whether long tests run with a version. */
export function isTriedInFull(version: string): boolean {
  return FULL === "1" || (FULL !== "0" && version === SPARK_VERSIONS[0]);
}

/** If a registry prefix or another name of the image is needed, `{version}` stands for the version. */
export function sparkImage(version: string): string {
  return (process.env["KINDLING_E2E_SPARK_IMAGE"] ?? "apache/spark:{version}").replaceAll("{version}", version);
}

/**
 * Configuration of applications that live for seconds. They end before the work of Java's second compiler pays off, and that
 * compiler takes two fifths of all the processor time that they need.
 */
export const SHORT_LIVED: Readonly<Record<string, string>> = {
  "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
  "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
};

/** The level of the Pod Security Standards that the suites' namespaces enforce, if they do. */
export const ENFORCED_LEVEL: string | undefined = process.env["KINDLING_E2E_POD_SECURITY"] || undefined;

/** Flags of a submission that does not see by itself which level its namespace enforces. */
export const LEVEL_FLAGS: readonly string[] =
  ENFORCED_LEVEL === undefined ? [] : ["--conf", `spark.kindling.podSecurity=${ENFORCED_LEVEL}`];

/** A suite's own namespace, in the cluster of KUBECONFIG. */
export class EmptyNamespace {
  readonly name: string;
  readonly client: KubeClient;

  protected constructor(name: string, client: KubeClient) {
    this.name = name;
    this.client = client;
  }

  static async create(purpose: string): Promise<EmptyNamespace> {
    const access = await loadClusterAccess({ env: process.env });
    const name = `kindling-e2e-${purpose}-${randomBytes(3).toString("hex")}`;
    const client = createKubeClient(access, { namespace: name });
    const labels = ENFORCED_LEVEL === undefined ? {} : { "pod-security.kubernetes.io/enforce": ENFORCED_LEVEL };
    await client.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
    return new EmptyNamespace(name, client);
  }

  /** A token of an account of this namespace, as `kubectl create token` makes it. */
  async tokenOf(
    account: string,
    spec: { readonly audiences?: readonly string[]; readonly expirationSeconds?: number } = {},
  ): Promise<string> {
    const { status } = await this.client.request<{ readonly status: { readonly token: string } }>({
      method: "POST",
      path: `/api/v1/namespaces/${this.name}/serviceaccounts/${account}/token`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
    });
    return status.token;
  }

  async remove(): Promise<void> {
    await this.client.delete(resources.namespaces, this.name).catch(() => {});
    this.client.close();
  }
}

/** The same, with an account for drivers and one for users who stage files. */
export class TestNamespace extends EmptyNamespace {
  static override async create(purpose: string): Promise<TestNamespace> {
    const { name, client } = await EmptyNamespace.create(purpose);
    const namespace = new TestNamespace(name, client);
    for (const account of ["spark", "kindling-submitter"]) {
      const metadata = { name: account };
      await client.create(resources.serviceaccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    }
    await namespace.grant("spark", DRIVER_RULES);
    return namespace;
  }

  /** Gives an account of this namespace rights in it. */
  async grant(account: string, rules: readonly unknown[]): Promise<void> {
    const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: account } };
    const role = await this.client.resourceFor(rbac.apiVersion, "Role");
    const binding = await this.client.resourceFor(rbac.apiVersion, "RoleBinding");
    await this.client.create(role, { ...rbac, kind: "Role", rules } as KubeObjectLike);
    await this.client.create(binding, {
      ...rbac,
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: this.name }],
    } as KubeObjectLike);
  }

  /**
   * Names of the objects of these kinds in the namespace, except for those that every namespace has, and those of an
   * installed chart.
   */
  async leftovers(): Promise<string[]> {
    const names: string[] = [];
    for (const type of OWNED_KINDS) {
      // Helm's own records are Secrets with an owner.
      const labelSelector = "app.kubernetes.io/part-of!=kindling,owner!=helm";
      const { items } = await this.client.listAll(type, { labelSelector });
      names.push(...items.map(({ metadata }) => `${type.kind}/${metadata?.name ?? ""}`));
    }
    return names.filter((name) => name !== "ConfigMap/kube-root-ca.crt");
  }

  /** Deletes a driver pod and waits until everything that belonged to it is gone. */
  async deleteApplication(driverPod: string): Promise<void> {
    await this.client.delete(resources.pods, driverPod, { gracePeriodSeconds: 0 }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  /** Does what kubectl apply does with the objects of a YAML text. */
  async apply(text: string): Promise<readonly KubeObjectLike[]> {
    const objects = parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as KubeObjectLike);
    for (const object of objects) {
      const type = await this.client.resourceFor(object.apiVersion ?? "", object.kind ?? "");
      await this.client.apply(type, object, { fieldManager: "kubectl", force: true });
    }
    return objects;
  }

  /** Deletes them again. */
  async delete(objects: readonly KubeObjectLike[]): Promise<void> {
    for (const { apiVersion = "", kind = "", metadata } of objects) {
      const type = await this.client.resourceFor(apiVersion, kind);
      await this.client.delete(type, metadata?.name ?? "").catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }
}

const OWNED_KINDS: readonly ResourceType[] = [
  resources.pods,
  resources.services,
  resources.configmaps,
  resources.secrets,
  resources.persistentvolumeclaims,
  resources.networkpolicies,
];

// The minimum rights of a driver with Spark's default settings.
const DRIVER_RULES = [
  {
    apiGroups: [""],
    resources: ["pods", "configmaps", "services", "persistentvolumeclaims"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"],
  },
];

/** Waits until a check succeeds. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not come about within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
