import type { Step } from "@kindling/core-spec";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";
import { loadConfig, type ServeConfig, startSubmissionServer, type SubmissionServer } from "../../src/index.ts";

export interface TestServerOptions {
  readonly settings?: readonly string[];
  /** The token of the service's own account. Default: the administrator's. */
  readonly token?: string;
  readonly defaults?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

/** Settings of a service for tests. */
export function testConfig(...settings: readonly string[]): ServeConfig {
  const ports = ["--listen-port", "0", "--admin-port", "0"];
  return loadConfig({ args: ["--log-level", "debug", ...ports, ...settings], env: {}, readFile: () => "" });
}

/** A service for an embedded cluster, and its log. */
export interface TestServer extends SubmissionServer {
  readonly lines: readonly string[];
  /** Sends a request with this server's token. */
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Starts a service and waits until it is ready; it is stopped when the test ends, if not before. */
export async function startTestServer(cluster: TestCluster, options: TestServerOptions = {}): Promise<TestServer> {
  const user = options.token === undefined ? {} : { token: options.token };
  const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster, user) });
  const client = createKubeClient(access, { userAgent: "kindling-serve" });
  const lines: string[] = [];
  const server = await startSubmissionServer(testConfig(...(options.settings ?? [])), {
    client,
    log: { write: (line) => void lines.push(line) },
    ...(options.defaults !== undefined && { defaults: options.defaults }),
    ...(options.steps !== undefined && { steps: options.steps }),
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= server.stop().then(() => client.close()));
  onTestFinished(stop);
  await server.ready;
  return { ...server, lines, stop, ask: (...request) => ask(server.uri, ...request) };
}

async function ask(
  uri: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isText = typeof body === "string" || body === undefined;
  const response = await fetch(new URL(path, uri), {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: objectOf(text) };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
