import { type KubeObjectLike, isKubeError } from "@kindling/kube";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testAuthority } from "@kindling/test-kit/certificates";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "./restricted.ts";
import { TestStaging, type StagingSetup } from "./staging.ts";
import { eventually, sparkImage, SPARK_VERSIONS, type TestNamespace } from "./test-cluster.ts";

const RELAY = `
import asyncio, sys
listening, host, port = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])

async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()

async def relay(reader, writer):
    try:
        there, back = await asyncio.open_connection(host, port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(pump(reader, back), pump(there, writer), return_exceptions=True)

async def main():
    server = await asyncio.start_server(relay, "0.0.0.0", listening)
    await server.serve_forever()

asyncio.run(main())
`;

/**
 * The part of an installation that users see, in a test's namespace: a staging server with TLS and a certificate of the
 * installation, behind a service, and the ConfigMap that describes it.
 */
export class TestInstallation {
  readonly staging: TestStaging;
  /** Its entries. */
  readonly entries: Readonly<Record<string, string>>;
  readonly #namespace: TestNamespace;
  readonly #folder: string;
  readonly #ca: string;

  private constructor(
    namespace: TestNamespace,
    staging: TestStaging,
    entries: TestInstallation["entries"],
    folder: string,
    ca: string,
  ) {
    this.#namespace = namespace;
    this.staging = staging;
    this.entries = entries;
    this.#folder = folder;
    this.#ca = ca;
  }

  static async create(namespace: TestNamespace, setup: StagingSetup): Promise<TestInstallation> {
    const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-installation-"));
    const authority = testAuthority("kindling-e2e");
    const { cert, key } = authority.issue("kindling-staging", { names: [setup.host] });
    writeFileSync(join(folder, "tls.crt"), cert);
    writeFileSync(join(folder, "tls.key"), key);
    const staging = await TestStaging.start(setup, {
      "tls-cert-file": join(folder, "tls.crt"),
      "tls-key-file": join(folder, "tls.key"),
    });
    const entries = {
      "spark.kindling.staging.uri": `k8s+https://${namespace.name}/kindling-staging:10000`,
      // This machine's certificate does not contain the name of the service.
      "spark.kindling.staging.internalUri": `https://${setup.host}:${new URL(staging.server.uri).port}`,
      "spark.kindling.localizer.image": setup.image,
    };
    const installation = new TestInstallation(namespace, staging, entries, folder, authority.cert);
    await installation.#serve(setup.host, Number(new URL(staging.server.uri).port));
    await installation.publish(entries);
    return installation;
  }

  /** Writes the ConfigMap. */
  async publish(entries: Readonly<Record<string, string>>, version = "0.1.0"): Promise<void> {
    await this.#apply({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
      data: {
        version,
        "kindling.properties": Object.entries(entries)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(""),
        "ca.crt": this.#ca,
      },
    });
  }

  async stop(): Promise<void> {
    await this.staging.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A service with a pod that forwards connections to this machine: an API server forwards only to pods. */
  async #serve(host: string, port: number): Promise<void> {
    const labels = { app: "kindling-staging" };
    const listening = 20_000 + randomInt(20_000);
    await this.#apply({
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: "kindling-staging" } },
      spec: { selector: labels, ports: [{ name: "https", port: 10_000, targetPort: listening }] },
    });
    const image = sparkImage(SPARK_VERSIONS.at(-1) ?? "");
    const command = ["python3", "-u", "-c", RELAY, String(listening), host, String(port)];
    await this.#apply({
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "kindling-staging", labels } },
      spec: {
        securityContext: RESTRICTED_POD,
        containers: [
          {
            name: "relay",
            image,
            command,
            ports: [{ containerPort: listening }],
            securityContext: RESTRICTED_CONTAINER,
          },
        ],
      },
    });
    const path = `/api/v1/namespaces/${this.#namespace.name}/services/https:kindling-staging:10000/proxy/api/v1/capabilities`;
    await eventually("the relay", () =>
      this.#namespace.client.request({ method: "GET", path }).catch((error: unknown) => {
        // An API server learns about a service a little later than its creator.
        if (isKubeError(error) && error.kind === "status" && [404, 503].includes(error.status)) return undefined;
        throw error;
      }),
    );
  }

  async #apply(object: KubeObjectLike & Readonly<Record<string, unknown>>): Promise<void> {
    const { client, name: namespace } = this.#namespace;
    const type = await client.resourceFor(object.apiVersion ?? "", object.kind ?? "");
    await client.apply(type, object, { namespace, fieldManager: "kindling-e2e", force: true });
  }
}
