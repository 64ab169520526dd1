import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, startGateway, type Gateway, type GatewayOptions } from "@kindling/gateway";
import { testAuthority } from "@kindling/test-kit/certificates";
import type { TestNamespace } from "./test-cluster.ts";

/** The address of this machine for pods; the same as for staging. */
export const GATEWAY_HOST: string | undefined = process.env["KINDLING_E2E_STAGING_HOST"];

export interface TestGatewayOptions {
  /** Steps that it may run for the executors of its applications. */
  readonly steps?: NonNullable<GatewayOptions["steps"]>;
  /** Settings besides those that each test gateway has, by their flags. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A gateway on this machine for one namespace, with its own certificate. */
export class TestGateway {
  readonly gateway: Gateway;
  /** Its log. */
  readonly log: readonly string[];
  /** Flags of submissions that use it. */
  readonly flags: readonly string[];
  readonly #folder: string;

  private constructor(gateway: Gateway, log: readonly string[], folder: string, host: string) {
    this.gateway = gateway;
    this.log = log;
    this.#folder = folder;
    const conf = {
      "spark.kindling.scheduler": "gateway",
      "spark.kindling.scheduler.uri": `https://${host}:${new URL(gateway.uri).port}`,
      "spark.kindling.scheduler.caFile": join(folder, "ca.crt"),
    };
    this.flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  }

  static async start(
    { client, name }: TestNamespace,
    host: string,
    { steps = [], settings = {} }: TestGatewayOptions = {},
  ): Promise<TestGateway> {
    const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-gateway-"));
    const authority = testAuthority("the gateway's authority");
    const { cert, key } = authority.issue("gateway", { names: [host, "127.0.0.1"] });
    for (const [file, text] of Object.entries({ "ca.crt": authority.cert, "tls.crt": cert, "tls.key": key })) {
      writeFileSync(join(folder, file), text);
    }
    const all = {
      ...settings,
      "listen-host": "0.0.0.0",
      "listen-port": "0",
      "admin-host": "127.0.0.1",
      "admin-port": "0",
      "cluster-namespaces": name,
      "tls-cert-file": join(folder, "tls.crt"),
      "tls-key-file": join(folder, "tls.key"),
    };
    const args = Object.entries(all).flatMap(([flag, value]) => [`--${flag}`, value]);
    const log: string[] = [];
    const gateway = await startGateway(loadConfig({ args, env: {}, readFile: () => "" }), {
      client,
      steps,
      log: { write: (line) => void log.push(line) },
    });
    await gateway.ready;
    return new TestGateway(gateway, log, folder, host);
  }

  /** A counter of the gateway; 0 if it does not exist yet. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(new URL("/metrics", this.gateway.adminUri))).text();
    const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length));
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
