import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { followLogs, resources, serviceTransport, serviceUrl } from "@kindling/kube";
import { stringify } from "yaml";
import type { TestNamespace } from "../clusters/test-cluster.ts";
import { helm } from "./helm.ts";
import { type ServiceName, STACK } from "./stack.ts";

/** The tag of the images that the chart runs. */
export const IMAGE_TAG: string = process.env["KINDLING_E2E_CHART_IMAGES"] ?? "0.1.0";

/** The chart, installed into a suite's namespace as a user would, with some of its services. */
export class Installed {
  /** The logs of the services. */
  readonly log: string[] = [];
  /** Flags of submissions that use it: none, because the installation is found. */
  readonly flags: readonly string[] = [];
  readonly #namespace: TestNamespace;
  readonly #followed = new AbortController();

  private constructor(namespace: TestNamespace) {
    this.#namespace = namespace;
  }

  /** @param more values of the chart for this suite. Waits until the services are ready. */
  static async start(
    namespace: TestNamespace,
    services: readonly ServiceName[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Installed> {
    const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-values-"));
    const values = join(folder, "values.yaml");
    writeFileSync(values, stringify({ ...STACK.values, ...more }));
    const enabled = (Object.keys(STACK.services) as ServiceName[]).map(
      (name) => `${name}.enabled=${services.includes(name)}`,
    );
    try {
      await helm([
        ...["install", STACK.release, STACK.chart, "--namespace", namespace.name, "--values", values],
        ...["--set", [`images.tag=${IMAGE_TAG}`, ...enabled].join(","), "--wait", "--timeout", "3m"],
      ]);
    } catch (error) {
      const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "app.kubernetes.io/part-of" });
      // Helm only says that it has waited.
      throw new Error(JSON.stringify(items.map(({ metadata, status }) => [metadata?.name, status])), { cause: error });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const installed = new Installed(namespace);
    for (const service of services) await installed.#follow(service);
    return installed;
  }

  /** A counter of a service; 0 if it does not exist yet. */
  async metric(service: ServiceName, name: string): Promise<number> {
    const { service: of, admin } = STACK.services[service];
    const { access } = this.#namespace.client;
    const place = { namespace: this.#namespace.name, name: of, port: admin, scheme: "http" } as const;
    const transport = serviceTransport(access, { connectTimeoutMs: 10_000 });
    try {
      const url = new URL("metrics", serviceUrl(access, place));
      const { body } = await transport.send({ method: "GET", url, headers: {} });
      const line = (await text(body)).split("\n").find((candidate) => candidate.startsWith(`${name} `));
      return line === undefined ? 0 : Number(line.slice(name.length));
    } finally {
      transport.close();
    }
  }

  async stop(): Promise<void> {
    this.#followed.abort();
    await helm(["uninstall", STACK.release, "--namespace", this.#namespace.name, "--wait", "--timeout", "2m"]);
  }

  async #follow(service: ServiceName): Promise<void> {
    const { client } = this.#namespace;
    const labelSelector = `app.kubernetes.io/name=${STACK.services[service].service}`;
    const { items } = await client.listAll(resources.pods, { labelSelector });
    for (const { metadata } of items) {
      const lines = followLogs(client, metadata?.name ?? "", { signal: this.#followed.signal });
      void this.#keep(lines);
    }
  }

  async #keep(lines: AsyncIterable<string>): Promise<void> {
    try {
      for await (const line of lines) this.log.push(line);
    } catch {
      // The pod is gone, or nobody follows the log any more.
    }
  }
}
