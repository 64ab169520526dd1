import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectCluster, loadConfig, startStagingServer, type StagingServer } from "@kindling/staging-server";

/** What pods need in order to reach this machine and to get files. */
export interface StagingSetup {
  /** The address of this machine for pods. */
  readonly host: string;
  /** The localizer's image; it is on the nodes, or they can pull it. */
  readonly image: string;
}

/** The set-up in the environment, if there is one. */
export function stagingSetup(): StagingSetup | undefined {
  const { KINDLING_E2E_STAGING_HOST: host, KINDLING_E2E_LOCALIZER_IMAGE: image } = process.env;
  return host === undefined || image === undefined ? undefined : { host, image };
}

/** A staging server on this machine that asks the cluster who a client is and which pods exist. */
export class TestStaging {
  readonly server: StagingServer;
  /** Configuration of submissions that use it. */
  readonly conf: Readonly<Record<string, string>>;
  /** The same, as flags. */
  readonly flags: readonly string[];
  readonly #folder: string;

  private constructor(server: StagingServer, setup: StagingSetup, folder: string) {
    this.server = server;
    this.#folder = folder;
    this.conf = {
      "spark.kindling.staging.uri": server.uri,
      "spark.kindling.staging.internalUri": `http://${setup.host}:${new URL(server.uri).port}`,
      "spark.kindling.localizer.image": setup.image,
    };
    this.flags = Object.entries(this.conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  }

  /** @param more settings in addition to those of every suite */
  static async start(setup: StagingSetup, more: Readonly<Record<string, string>> = {}): Promise<TestStaging> {
    const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-staging-"));
    const settings = {
      "listen-host": "0.0.0.0",
      "listen-port": "0",
      "admin-host": "127.0.0.1",
      "admin-port": "0",
      "auth-mode": "kubernetes",
      "store-path": folder,
      "store-min-free": "0",
      "lifecycle-interval": "1s",
      "lifecycle-orphan-grace": "2s",
      ...more,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const config = loadConfig({ args, env: {}, readFile: () => "" });
    const server = await startStagingServer(config, {
      env: process.env,
      log: { write: () => undefined },
      connectCluster,
    });
    return new TestStaging(server, setup, folder);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
