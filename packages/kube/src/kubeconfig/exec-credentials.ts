import { isAbsolute, join } from "node:path";
import { isatty } from "node:tty";
import type { CredentialSource } from "../credentials/credential-source.ts";
import {
  EXEC_API_VERSIONS,
  execPlugin,
  type ExecApiVersion,
  type ExecInteraction,
  type ExecRunner,
} from "../credentials/exec-plugin.ts";
import { isFields, type Fields } from "../fields.ts";
import type { CredentialsOutside } from "./credentials-outside.ts";
import {
  dataField,
  describeEntry,
  entryError,
  fieldsField,
  flagField,
  textField,
  textListField,
  type KubeconfigEntry,
} from "./kubeconfig-entry.ts";

/** Name of the cluster extension whose content is meant for exec plug-ins. */
const PLUGIN_EXTENSION = "client.authentication.k8s.io/exec";

/** The plug-in of a user's `exec` field. */
export async function execCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  outside: CredentialsOutside,
): Promise<CredentialSource> {
  const exec = fieldsField(user, "exec") ?? {};
  const command = textField(user, "command", exec);
  if (command === undefined) throw entryError(user, "exec names no command");
  const apiVersion = apiVersionField(user, exec);
  return execPlugin(
    {
      description: describeEntry(user),
      // A command with a slash is a path from the kubeconfig's folder; one without is looked up in PATH.
      command: /[/\\]/.test(command) && !isAbsolute(command) ? join(user.folder, command) : command,
      args: textListField(user, "args", exec) ?? [],
      env: { ...outside.env, ...variablesOf(user, exec) },
      apiVersion,
      installHint: textField(user, "installHint", exec),
      interaction: interactionField(user, exec, apiVersion),
      cluster: flagField(user, "provideClusterInfo", exec) ? await clusterInfo(cluster, outside.readFile) : undefined,
    },
    runnerOf(outside),
  );
}

function runnerOf({ clock, notices, times, interactive, isTerminal = isTerminalHere }: CredentialsOutside): ExecRunner {
  const canInteract = interactive && isTerminal("stdin");
  // A plug-in that reads no input may also wait for a person, who signs in with a browser.
  const atTerminal = canInteract || (interactive && isTerminal("stderr"));
  const timeoutMs = atTerminal ? times.terminalTimeoutMs : times.timeoutMs;
  return { clock, notices, canInteract, showsErrors: interactive, atTerminal, timeoutMs };
}

function isTerminalHere(stream: "stdin" | "stderr"): boolean {
  return isatty(stream === "stdin" ? 0 : 2);
}

function apiVersionField(user: KubeconfigEntry, exec: Fields): ExecApiVersion {
  const value = textField(user, "apiVersion", exec);
  const version = EXEC_API_VERSIONS.find((known) => known === value);
  if (version !== undefined) return version;
  throw entryError(
    user,
    `exec has the apiVersion ${value ?? "(none)"}`,
    `it must be ${EXEC_API_VERSIONS.join(" or ")}`,
  );
}

function interactionField(user: KubeconfigEntry, exec: Fields, apiVersion: ExecApiVersion): ExecInteraction {
  const value = textField(user, "interactiveMode", exec);
  // The field is required in v1; v1beta1 has this default.
  if (value === undefined && apiVersion !== "client.authentication.k8s.io/v1") return "IfAvailable";
  if (value === "Never" || value === "IfAvailable" || value === "Always") return value;
  throw entryError(
    user,
    `exec has the interactiveMode ${value ?? "(none)"}`,
    "it must be Never, IfAvailable or Always",
  );
}

function variablesOf(user: KubeconfigEntry, exec: Fields): Record<string, string> {
  const list = exec["env"] ?? [];
  if (!Array.isArray(list) || !list.every(isFields))
    throw entryError(user, "env of exec must be a list of name and value");
  return Object.fromEntries(
    list.map((item) => [textField(user, "name", item) ?? "", textField(user, "value", item) ?? ""]),
  );
}

/** `Cluster` of client.authentication.k8s.io: what a plug-in may know about the cluster. */
async function clusterInfo(
  cluster: KubeconfigEntry,
  readFile: (path: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const ca = await dataField(cluster, "certificate-authority", readFile);
  const extensions = cluster.fields["extensions"];
  const extension = Array.isArray(extensions)
    ? extensions.find((item) => isFields(item) && item["name"] === PLUGIN_EXTENSION)
    : undefined;
  return {
    server: textField(cluster, "server"),
    "tls-server-name": textField(cluster, "tls-server-name"),
    "insecure-skip-tls-verify": flagField(cluster, "insecure-skip-tls-verify") || undefined,
    "certificate-authority-data": ca === undefined ? undefined : Buffer.from(ca).toString("base64"),
    "proxy-url": textField(cluster, "proxy-url"),
    config: isFields(extension) ? extension["extension"] : null,
  };
}
