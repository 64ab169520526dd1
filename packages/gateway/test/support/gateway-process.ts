import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";

const COMMAND = fileURLToPath(new URL("../../bin/kindling-gateway.cjs", import.meta.url));
const SETTINGS = ["--tls-plain-http", "true", "--listen-host", "127.0.0.1", "--admin-host", "127.0.0.1"];
const PORTS = ["--listen-port", "0", "--admin-port", "0"];

export interface GatewayProcessOptions {
  readonly settings?: readonly string[];
  readonly token?: string;
  /** The limit of its JavaScript heap, in MiB. */
  readonly heap?: number;
}

/** The gateway's command as a separate process, which can be killed at any moment. */
export class GatewayProcess {
  /** Where it serves drivers. */
  readonly uri: string;
  readonly adminUri: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, ended: Promise<unknown>, uri: string, adminUri: string) {
    this.uri = uri;
    this.adminUri = adminUri;
    this.#child = child;
    this.#ended = ended;
  }

  /**
   * Starts it, and waits until it serves drivers.
   *
   * @param token of the gateway's own account; without it, it is the administrator
   */
  static async start(
    cluster: TestCluster,
    { settings = [], token, heap }: GatewayProcessOptions = {},
  ): Promise<GatewayProcess> {
    const kubeconfig = kubeconfigFor(cluster, token === undefined ? {} : { token });
    // As the chart sets them. Without the second one, newer versions of Node add up to 192 MiB for new objects.
    const young = Math.ceil((heap ?? 0) / 14);
    const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`, `--max-semi-space-size=${young}`];
    const args = [...limits, COMMAND, ...SETTINGS, ...PORTS, "--cluster-kubeconfig", kubeconfig, ...settings];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: { readonly msg: string; readonly uri: string; readonly adminUri: string }[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
    const { uri, adminUri } = await eventually(() => {
      const serving = lines.find(({ msg }) => msg === "serving");
      if (serving === undefined) throw new Error("it does not serve yet");
      return serving;
    });
    await eventually(async () => {
      const answer = await fetch(new URL("readyz", adminUri));
      if (!answer.ok) throw new Error(await answer.text());
    });
    return new GatewayProcess(child, ended, uri, adminUri);
  }

  /** Kills it like the kernel when memory runs out: it can do nothing more. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Ends it as a kubelet does; returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    return this.#child.exitCode;
  }

  /** Pauses the process (SIGSTOP); it does not notice this. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    await this.#ended;
  }
}
