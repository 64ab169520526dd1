import type { Step } from "@kindling/core-spec";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";
import {
  type Gateway,
  type GatewayConfig,
  type GatewayOptions,
  loadConfig,
  type Policy,
  startGateway,
} from "../../src/index.ts";

export interface TestGatewayOptions {
  readonly settings?: readonly string[];
  readonly policy?: Policy;
  readonly steps?: readonly Step[];
  readonly clock?: Clock;
  /** How much memory the gateway may use. */
  readonly memory?: GatewayOptions["memory"];
  /** The token of the gateway's own account; without it, it is the administrator. */
  readonly token?: string;
}

/**
 * Settings of a gateway that a test can reach without certificates, and that admits everything unless other settings change
 * this.
 */
export function testConfig(...settings: readonly string[]): GatewayConfig {
  const hosts = ["--listen-host", "127.0.0.1", "--admin-host", "127.0.0.1", "--listen-port", "0", "--admin-port", "0"];
  const capacity = settings.includes("--capacity") ? [] : ["--capacity", "unlimited"];
  const args = ["--tls-plain-http", "true", "--log-level", "debug", ...hosts, ...capacity, ...settings];
  return loadConfig({ args, env: {}, readFile: () => "" });
}

/** A gateway in front of an embedded cluster, and its log. */
export interface TestGateway extends Gateway {
  readonly lines: readonly string[];
}

/** Starts a gateway that is ready; it is stopped at the end of the test, if it was not stopped before. */
export async function startTestGateway(cluster: TestCluster, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const user = options.token === undefined ? {} : { token: options.token };
  const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster, user) });
  const client = createKubeClient(access, { userAgent: "kindling-gateway" });
  const lines: string[] = [];
  const gateway = await startGateway(testConfig(...(options.settings ?? [])), {
    client,
    log: { write: (line) => void lines.push(line) },
    ...(options.policy !== undefined && { policy: options.policy }),
    ...(options.steps !== undefined && { steps: options.steps }),
    ...(options.clock !== undefined && { clock: options.clock }),
    ...(options.memory !== undefined && { memory: options.memory }),
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= gateway.stop().then(() => client.close()));
  onTestFinished(stop);
  await gateway.ready;
  return { ...gateway, lines, stop };
}
