import { type KubeObjectLike, resources } from "@kindling/kube";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { helm, uninstallIfThere } from "../stack/helm.ts";
import { IMAGE_TAG } from "../stack/installed.ts";
import { Kindling } from "./kindling.ts";
import { textOf } from "./requests.ts";
import { IS_INSTALLED } from "./services.ts";
import { EmptyNamespace, eventually, type TestNamespace } from "./test-cluster.ts";

/** The chart of Kindling's operator. */
const CHART = fileURLToPath(new URL("../../../deploy/helm/kindling-operator", import.meta.url));

/**
 * The folder with the released stock operator from `kubeflow/release-image.mjs`, if it was built. Its image must be loaded
 * into the nodes.
 */
export const KUBEFLOW_RELEASE: string | undefined = process.env["KINDLING_E2E_KUBEFLOW_RELEASE"];

/** Which operator the suites run: Kindling's, or kubeflow's own for comparison. */
export const IS_STOCK: boolean = isStock(process.env["KINDLING_E2E_OPERATOR"] ?? "kindling");

/** Why there is no operator; undefined if there is one. */
export const NO_OPERATOR: string | undefined = IS_STOCK ? whyNoStock() : undefined;

const COMMAND = fileURLToPath(new URL("../../../packages/operator/bin/kindling-operator.cjs", import.meta.url));

/** Helm's values for an operator's image. */
const IMAGES: {
  readonly kindling: Readonly<Record<string, string>>;
  readonly stock: Readonly<Record<string, string>>;
} = {
  kindling: { registry: "docker.io", repository: "kindling/operator", tag: IMAGE_TAG },
  stock: { registry: "docker.io", repository: "kindling-test/spark-operator", tag: "2.5.2", pullPolicy: "Never" },
};

/** An operator that serves a namespace. */
export interface TestOperator {
  /** Its metrics; undefined if it is a process of this machine. */
  readonly metrics: (() => Promise<string>) | undefined;
  /** The holder of its Lease, and the names of its pods; undefined if it is a process of this machine. */
  readonly lease:
    | (() => Promise<{ readonly holder: string | undefined; readonly pods: readonly string[] }>)
    | undefined;
  stop(): Promise<void>;
}

/** Starts the operator in KINDLING_E2E_OPERATOR for a namespace: with its chart, or as a process of this machine. */
export async function startOperator(applications: TestNamespace): Promise<TestOperator> {
  if (IS_STOCK) {
    const stock = await InstalledOperator.start(applications, STOCK);
    await untilWebhook(applications);
    return stock;
  }
  if (IS_INSTALLED) return await InstalledOperator.start(applications, OURS_IN_FULL);
  return await startOperatorProcess(applications, [`--namespaces=${applications.name}`]);
}

/** Stock's pods report that they are ready before their webhook listens; objects that are created before that are refused. */
export async function untilWebhook({ client }: EmptyNamespace): Promise<void> {
  const type = await client.resourceFor("sparkoperator.k8s.io/v1beta2", "SparkApplication");
  const role = { cores: 1 };
  const spec = {
    type: "Scala",
    sparkVersion: "4.0.4",
    mainApplicationFile: "local:///a.jar",
    driver: role,
    executor: role,
  };
  const metadata = { name: "asks-webhook" };
  const object = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication", metadata, spec };
  await eventually("stock's webhook", () => client.create(type, object, { dryRun: true }).catch(() => undefined));
}

/** Starts Kindling's operator as a process of this machine. */
export async function startOperatorProcess(
  applications: EmptyNamespace,
  flags: readonly string[],
): Promise<TestOperator> {
  await applyDefinitions(applications);
  const own = new Kindling(
    ["controller", "start", "--health-probe-bind-address=0", ...flags],
    {},
    process.cwd(),
    COMMAND,
  );
  let hasEnded = false;
  void own.ended.then(() => (hasEnded = true));
  await eventually("the operator", () => {
    if (hasEnded) throw new Error(`the operator ended: ${own.out}${own.err}`);
    return Promise.resolve(own.out.includes("the cluster has been listed"));
  });
  return {
    metrics: undefined,
    lease: undefined,
    async stop() {
      own.child.kill("SIGTERM");
      await own.ended;
    },
  };
}

/** Creates the kinds if Helm does not. */
async function applyDefinitions({ client }: EmptyNamespace): Promise<void> {
  const folder = join(CHART, "crds");
  const type = await client.resourceFor("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  for (const file of readdirSync(folder)) {
    const definition = parse(readFileSync(join(folder, file), "utf8")) as Definition;
    await client.apply(type, definition, { fieldManager: "kindling-e2e", force: true });
    const { names, versions } = definition.spec;
    const [{ name: version }] = versions;
    const path = `/apis/sparkoperator.k8s.io/${version}/namespaces/${client.namespace}/${names.plural}`;
    await eventually("a new kind", () => client.request<object>({ method: "GET", path }).catch(() => undefined));
  }
}

interface Definition extends KubeObjectLike {
  readonly spec: {
    readonly names: { readonly plural: string };
    readonly versions: readonly [{ readonly name: string }];
  };
}

/** Helm's values for an operator, besides the namespace that it serves. */
export interface Release {
  readonly chart: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Kindling's operator, with only values that kubeflow's chart also has. */
export const OURS: Release = { chart: CHART, values: { image: IMAGES.kindling } };

const OURS_IN_FULL: Release = {
  chart: CHART,
  values: {
    image: IMAGES.kindling,
    admissionPolicy: { enable: true },
    controller: { driverPodDisruptionBudget: { enable: true } },
  },
};

export const STOCK: Release = { chart: join(KUBEFLOW_RELEASE ?? "", "chart"), values: { image: IMAGES.stock } };

/** An operator that Helm has installed into its own namespace. */
export class InstalledOperator implements TestOperator {
  readonly #system: EmptyNamespace;
  readonly #applications: TestNamespace;
  readonly #release: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "kindling-e2e-operator-"));

  private constructor(system: EmptyNamespace, applications: TestNamespace, release: string) {
    this.#system = system;
    this.#applications = applications;
    this.#release = release;
  }

  static async start(applications: TestNamespace, release: Release): Promise<InstalledOperator> {
    const system = await EmptyNamespace.create("operator");
    // Roles and webhooks of the whole cluster are named after it.
    const name = `spark-operator-${randomBytes(3).toString("hex")}`;
    const installed = new InstalledOperator(system, applications, name);
    await installed.#helm("install", release);
    return installed;
  }

  /** Replaces this operator by another one, or by another version, as a user would. */
  async upgrade(release: Release): Promise<void> {
    await this.#helm("upgrade", release);
  }

  readonly metrics = async (): Promise<string> => {
    const [pod = ""] = await this.#pods();
    return await textOf(this.#system.client, `/api/v1/namespaces/${this.#system.name}/pods/${pod}:8080/proxy/metrics`);
  };

  readonly lease = async (): Promise<{ holder: string | undefined; pods: readonly string[] }> => {
    const type = await this.#system.client.resourceFor("coordination.k8s.io/v1", "Lease");
    const lease = await this.#system.client.get(type, `${this.#release}-controller-lock`);
    const { spec } = lease as { spec?: { holderIdentity?: string } };
    return { holder: spec?.holderIdentity, pods: await this.#pods() };
  };

  async stop(): Promise<void> {
    await uninstallIfThere(this.#release, this.#system.name);
    await this.#system.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #pods(): Promise<readonly string[]> {
    const labelSelector = "app.kubernetes.io/component=controller";
    const { items } = await this.#system.client.listAll(resources.pods, { labelSelector });
    return items.filter(({ status }) => status?.phase === "Running").map(({ metadata }) => metadata?.name ?? "");
  }

  async #helm(verb: "install" | "upgrade", { chart, values }: Release): Promise<void> {
    const path = join(this.#folder, "values.yaml");
    const account = { serviceAccount: { create: false, name: "spark" }, rbac: { create: false } };
    writeFileSync(path, stringify({ ...values, spark: { jobNamespaces: [this.#applications.name], ...account } }));
    const where = ["--namespace", this.#system.name, "--values", path, "--wait", "--timeout", "3m"];
    try {
      await helm([verb, this.#release, chart, ...where]);
    } catch (error) {
      const { items } = await this.#system.client.listAll(resources.pods);
      // Helm only says that it has waited.
      throw new Error(JSON.stringify(items.map(({ metadata, status }) => [metadata?.name, status])), { cause: error });
    }
  }
}

function isStock(operator: string): boolean {
  if (operator === "kindling" || operator === "stock") return operator === "stock";
  throw new Error(`KINDLING_E2E_OPERATOR is kindling or stock, not ${operator}`);
}

function whyNoStock(): string | undefined {
  if (KUBEFLOW_RELEASE === undefined) return "KINDLING_E2E_KUBEFLOW_RELEASE names no operator";
  return IS_INSTALLED ? undefined : "KINDLING_E2E_SERVICES is not installed";
}
