import type { Clock } from "@kindling/outside";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import type { CredentialSource } from "./credential-source.ts";
import { parseExecCredential } from "./exec-credential.ts";
import { expiringCredentials, type Lease } from "./expiring-credentials.ts";
import { runCommand, type CommandResult } from "./run-command.ts";
import { noticeWait, type WaitNotices } from "./wait-notice.ts";

export const EXEC_API_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;

export type ExecApiVersion = (typeof EXEC_API_VERSIONS)[number];

/** Whether a plug-in wants standard input. */
export type ExecInteraction = "Never" | "IfAvailable" | "Always";

export interface ExecPlugin {
  /** The user of these credentials, for errors. */
  readonly description: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiVersion: ExecApiVersion;
  /** The kubeconfig's hint for people who do not have the command. */
  readonly installHint: string | undefined;
  readonly interaction: ExecInteraction;
  /** Given to the plug-in if it asks for it. */
  readonly cluster: Readonly<Record<string, unknown>> | undefined;
}

/** How a plug-in is run. */
export interface ExecRunner {
  readonly clock: Clock;
  readonly notices: WaitNotices;
  /** Whether standard input is a terminal that it may read from. */
  readonly canInteract: boolean;
  /** Whether its standard error is shown; otherwise the last part of it goes into the error. */
  readonly showsErrors: boolean;
  /** Whether a person sees what it says, and may have to sign in. */
  readonly atTerminal: boolean;
  readonly timeoutMs: number;
}

/**
 * Credentials from a plug-in: a command that prints an ExecCredential (Kubernetes documentation, "client-go credential
 * plugins"). It runs at the first request, when its credentials expire, and when the server refuses them. Unlike client-go,
 * it does not wait for ever: a long wait is announced, and then ended.
 */
export function execPlugin(plugin: ExecPlugin, runner: ExecRunner): CredentialSource {
  const description = `${plugin.description} (exec plug-in ${plugin.command})`;
  const { clock, notices, canInteract, timeoutMs } = runner;
  const interactive = plugin.interaction !== "Never" && canInteract;

  async function fetch(signal: AbortSignal): Promise<Lease> {
    if (plugin.interaction === "Always" && !canInteract) {
      throw kubeError({ kind: "credentials" }, `${description} asks for input, and there is no terminal`);
    }
    const info = {
      apiVersion: plugin.apiVersion,
      kind: "ExecCredential",
      spec: { cluster: plugin.cluster, interactive },
    };
    const env = { ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
    const what = `the credential plug-in ${plugin.command} of ${plugin.description}`;
    const stopNotice = noticeWait(notices, what, timeoutMs);
    const result = await runCommand(plugin.command, plugin.args, { ...runner, env, interactive, signal });
    stopNotice();
    if (result.kind === "timed-out") throw timedOut(plugin, description, timeoutMs);
    if (result.kind === "not-started" || result.exitCode !== 0) throw failure(plugin, description, result);
    return parseExecCredential(result.output, plugin.apiVersion, description);
  }

  return expiringCredentials(fetch, clock, description);
}

function timedOut(plugin: ExecPlugin, description: string, timeoutMs: number): KubeError {
  const message = `${description} gave no credentials within ${timeoutMs / 1000} s, and was ended`;
  return kubeError({ kind: "credentials" }, message, {
    hint: `run ${plugin.command} by itself, as the kubeconfig says, to see what it waits for`,
  });
}

function failure(
  plugin: ExecPlugin,
  description: string,
  result: Exclude<CommandResult, { readonly kind: "timed-out" }>,
): KubeError {
  if (result.kind === "not-started") {
    const words = result.code === "ENOENT" ? "there is no such command" : `it cannot be started (${result.code})`;
    return kubeError({ kind: "credentials" }, `${description}: ${words}`, {
      hint: plugin.installHint?.replaceAll(/\s+/g, " ").trim() ?? `install ${plugin.command} or add its folder to PATH`,
    });
  }
  const how = result.signal === null ? `ended with exit code ${result.exitCode}` : `was ended by ${result.signal}`;
  const said = result.complaint === "" ? "" : `: ${result.complaint}`;
  return kubeError({ kind: "credentials" }, `${description} ${how}${said}`);
}
