import { resources } from "@kindling/kube";
import { type Fixtures, prepareApplications } from "./applications.ts";
import { type Ended, Kindling } from "./kindling.ts";
import { type GatewayService, startGateway } from "./services.ts";
import { TestNamespace } from "./test-cluster.ts";

/** The account of drivers without rights. */
export const NOBODY = "nobody";

/** A namespace with a gateway, for drivers with an account that has no rights. */
export class GatewayDrivers {
  readonly namespace: TestNamespace;
  readonly gateway: GatewayService;
  readonly #fixtures: Fixtures;

  private constructor(namespace: TestNamespace, gateway: GatewayService, fixtures: Fixtures) {
    this.namespace = namespace;
    this.gateway = gateway;
    this.#fixtures = fixtures;
  }

  static async start(purpose: string, version: string, start = startGateway): Promise<GatewayDrivers> {
    const namespace = await TestNamespace.create(`${purpose}-${version.replaceAll(".", "-")}`);
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: NOBODY } };
    await namespace.client.create(resources.serviceaccounts, account);
    const fixtures = await prepareApplications(namespace, version);
    return new GatewayDrivers(namespace, await start(namespace), fixtures);
  }

  /** The folder of pod templates. */
  get folder(): string {
    return this.#fixtures.folder;
  }

  /** Submits an application, and returns the running command. */
  begin(conf: Readonly<Record<string, string>>, ...args: readonly string[]): Kindling {
    const all = { ...conf, "spark.kubernetes.authenticate.driver.serviceAccountName": NOBODY };
    const flags = Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    return new Kindling(["submit", ...this.#fixtures.flags, ...this.gateway.flags, ...flags, "--logs", ...args]);
  }

  /** Submits an application, and waits for its end. */
  async run(conf: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
    return await this.begin(conf, ...args).ended;
  }

  /** The text to show if something has failed. */
  said({ out, err }: Ended): string {
    const lines = out.split("\n").filter((line) => / (?:WARN|ERROR) /.test(line) || /^[A-Z ]+ /.test(line));
    return [...lines, err, ...this.gateway.log].join("\n");
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    this.#fixtures.remove();
    await this.namespace.remove();
  }
}
