import type { Clock } from "@kindling/outside";
import { isKubeError, kubeError, type KubeError } from "../errors/kube-error.ts";
import { quoted, quotedCause } from "../errors/quoted.ts";
import { describeEntry, fieldsField, textField, type KubeconfigEntry } from "./kubeconfig-entry.ts";
import type { CredentialSource } from "../credentials/credential-source.ts";
import { isFields, type Fields } from "../fields.ts";
import { linkedAbort } from "../linked-abort.ts";
import { untilAborted } from "../until-aborted.ts";
import { expiringCredentials } from "../credentials/expiring-credentials.ts";
import { noticeWait, type WaitNotices } from "../credentials/wait-notice.ts";

/** The library itself checks when credentials expire, so it is asked often. */
const ASK_AGAIN_MS = 10_000;

/** The parts of `@kubernetes/client-node` that are used here. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromOptions(options: unknown): void;
    applyToHTTPSOptions(options: { headers: Record<string, string> }): Promise<void>;
  };
}

export interface AuthProviderLimits {
  readonly clock: Clock;
  readonly notices: WaitNotices;
  readonly timeoutMs: number;
}

/**
 * The `auth-provider` kinds (oidc, gcp, azure) that Kubernetes itself has replaced with exec plug-ins. They are handled by
 * `@kubernetes/client-node`, an optional peer dependency that only these users need. The wait for an identity provider that
 * does not answer ends after a time. The wait for a command of gcp or azure is announced, but cannot be ended.
 */
export function authProviderCredentials(
  user: KubeconfigEntry,
  { clock, notices, timeoutMs }: AuthProviderLimits,
): CredentialSource {
  const provider = fieldsField(user, "auth-provider") ?? {};
  const name = textField(user, "name", provider) ?? "(none)";
  const description = `${describeEntry(user)} (auth-provider ${name})`;
  let config: Promise<InstanceType<ClientNode["KubeConfig"]>> | undefined;

  async function authorization(signal: AbortSignal): Promise<string> {
    config ??= configure(provider, description);
    const ready = await config;
    const options: { headers: Record<string, string> } = { headers: {} };
    const what = `the auth-provider ${name} of ${describeEntry(user)}`;
    // The library runs the commands of gcp and azure synchronously and blocks the process, so this is announced before.
    if (runsCommand(provider, clock)) notices.onWait(`waiting for the command of ${what}`);
    const stopNotice = noticeWait(notices, what, timeoutMs);
    try {
      if (!(await isDoneWithin(timeoutMs, ready.applyToHTTPSOptions(options), signal))) throw timedOut();
    } catch (error) {
      if (isKubeError(error)) throw error;
      const words = quoted(error instanceof Error ? error.message : String(error));
      const cause = error instanceof Error ? quotedCause(error) : undefined;
      throw kubeError({ kind: "credentials" }, `${description}: ${words}`, { cause });
    } finally {
      stopNotice();
    }
    const value = options.headers["Authorization"];
    if (value === undefined) throw kubeError({ kind: "credentials" }, `${description} gave no token`);
    return value;
  }

  function timedOut(): KubeError {
    const message = `${description} gave no token within ${timeoutMs / 1000} s`;
    return kubeError({ kind: "credentials" }, message, { hint: "check that its identity provider can be reached" });
  }

  /** The library cannot be stopped: its work continues, but nobody waits for it. */
  async function isDoneWithin(milliseconds: number, work: Promise<void>, signal: AbortSignal): Promise<boolean> {
    const waiting = linkedAbort(signal);
    const cancel = clock.after(milliseconds, () => waiting.abort());
    try {
      return (
        (await untilAborted(
          work.then(() => true),
          waiting.signal,
        )) ?? false
      );
    } finally {
      cancel();
      waiting.release();
    }
  }

  return expiringCredentials(
    async (signal) => ({
      credentials: { authorization: await authorization(signal) },
      until: clock.now() + ASK_AGAIN_MS,
    }),
    clock,
    description,
  );
}

/** Whether the library is about to run a command for a fresh token; it writes the new expiry into the same fields. */
function runsCommand(provider: Fields, clock: Clock): boolean {
  const config = isFields(provider["config"]) ? provider["config"] : {};
  if (typeof config["cmd-path"] !== "string") return false;
  return !(Date.parse(String(config["expiry"])) > clock.now());
}

async function configure(provider: Fields, description: string): Promise<InstanceType<ClientNode["KubeConfig"]>> {
  const { KubeConfig } = await loadClientNode(description);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "cluster", server: "https://localhost" }],
    users: [{ name: "user", authProvider: provider }],
    contexts: [{ name: "context", cluster: "cluster", user: "user" }],
    currentContext: "context",
  });
  return config;
}

async function loadClientNode(description: string): Promise<ClientNode> {
  // Not a literal, so that bundlers do not include these one and a half megabytes.
  const name: string = "@kubernetes/client-node";
  try {
    return (await import(name)) as ClientNode;
  } catch (error) {
    throw kubeError({ kind: "credentials" }, `${description} needs the package ${name}, which is not installed`, {
      hint: `npm install ${name}@1.4.0 beside this program, or change the user to an exec plug-in`,
      cause: error,
    });
  }
}
