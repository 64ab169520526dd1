import { homedir } from "node:os";
import { environmentProxies, isHttpError, parseProxy, type Proxy } from "@kindling/http";
import { systemClock, type Env } from "@kindling/outside";
import { DEFAULT_CREDENTIAL_TIMES } from "../credentials/credential-times.ts";
import { staticCredentials } from "../credentials/static-credentials.ts";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { applyOverlays } from "./apply-overlays.ts";
import type { BaseAccess } from "./base-access.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { findKubeconfigs, pathsOf } from "./find-kubeconfigs.ts";
import { inClusterAccess } from "./in-cluster.ts";
import { kubeconfigAccess } from "./kubeconfig-access.ts";
import type { LoadOptions } from "./load-options.ts";
import { fileReader } from "./read-file.ts";

const SERVICE_ACCOUNT_DIR = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Finds out which API server to talk to, and as which user: from kubeconfig files as kubectl does, else from the pod's
 * service account. Explicit options come on top (the order of Spark's client, SparkKubernetesClientFactory). If there is
 * neither, a given server is enough. Reads files but runs nothing; exec plug-ins run at the first request.
 *
 * Rejects with a KubeError of kind `config` that names file and entry.
 */
export async function loadClusterAccess(options: LoadOptions = {}): Promise<ClusterAccess> {
  const clock = options.clock ?? systemClock;
  const times = { ...DEFAULT_CREDENTIAL_TIMES, ...options.credentialTimes };
  const notices = { clock, noticeMs: times.noticeMs, onWait: options.onWait ?? ((): void => undefined) };
  const outside = {
    env: options.env ?? process.env,
    homeDir: options.homeDir ?? homedir(),
    readFile: options.readFile ?? fileReader(notices, times.timeoutMs),
    clock,
    notices,
    times,
    interactive: options.interactive ?? false,
    isTerminal: options.isTerminal,
    serviceAccountDir: options.serviceAccountDir ?? SERVICE_ACCOUNT_DIR,
    kubeconfigPath: options.kubeconfigPath,
  };
  const overlays = options.overlays ?? {};
  const kubeconfig = await findKubeconfigs(outside);
  const context = options.context === "" ? undefined : options.context;
  if (kubeconfig === undefined && context !== undefined) throw noKubeconfig(context, pathsOf(outside));
  const base =
    kubeconfig === undefined ? await inClusterAccess(outside) : await kubeconfigAccess(kubeconfig, context, outside);
  if (base === undefined && overlays.server === undefined) throw noCluster(kubeconfig?.files, pathsOf(outside));
  const access = await applyOverlays(base ?? NOTHING, overlays, outside);
  const server = normalizeServer(access.server, access.serverSource);
  return {
    origin: access.origin,
    server,
    namespace: access.namespace,
    contextName: access.contextName,
    tls: access.tls,
    proxy: proxyFor(server, access, outside.env),
    credentials: access.credentials,
  };
}

const NOTHING: BaseAccess = {
  origin: "options",
  server: undefined,
  serverSource: "the given server",
  namespace: undefined,
  contextName: undefined,
  tls: { ca: undefined, servername: undefined, insecureSkipVerify: false },
  proxyUrl: undefined,
  credentials: staticCredentials({}, "no user at all: no kubeconfig and no token is given"),
};

/** Scheme, host, port and path; other parts of a URL make no sense here, and a password in it would appear in messages. */
function normalizeServer(server: string | undefined, source: string): string {
  const fail = (fault: string): KubeError =>
    kubeError({ kind: "config", file: undefined }, `${source}: ${fault}`, {
      hint: "give a URL such as https://host:6443",
    });
  if (server === undefined) throw fail("it names no server");
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw fail("the server is not an http or https URL");
  if (url.username !== "" || url.password !== "") throw fail("the server's URL must not hold a user or password");
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/**
 * The cluster entry's `proxy-url` for all requests to the cluster, whatever `NO_PROXY` says; else the environment's proxy.
 * kubectl does the same, except that Go does not know `ALL_PROXY`.
 */
function proxyFor(server: string, { proxyUrl, serverSource }: BaseAccess, env: Env): Proxy | undefined {
  try {
    if (proxyUrl !== undefined && proxyUrl !== "") return parseProxy(proxyUrl, `proxy-url of ${serverSource}`);
    return environmentProxies(env)(new URL(server));
  } catch (error) {
    if (!isHttpError(error)) throw error;
    const { message, hint } = error;
    throw kubeError({ kind: "config", file: undefined }, message, { hint, cause: error });
  }
}

function noKubeconfig(context: string, paths: readonly string[]): KubeError {
  return kubeError(
    { kind: "config", file: paths[0] },
    `context "${context}" is asked for, and there is no kubeconfig (looked at ${paths.join(", ")})`,
  );
}

function noCluster(files: readonly string[] | undefined, paths: readonly string[]): KubeError {
  if (files !== undefined) {
    return kubeError({ kind: "config", file: files[0] }, `no context is current in ${files.join(", ")}`, {
      hint: "choose one with `kubectl config use-context`, or name the context or the server",
    });
  }
  return kubeError(
    { kind: "config", file: undefined },
    `no cluster is known: no kubeconfig at ${paths.join(", ")}, and this is not a pod`,
    {
      hint: "set KUBECONFIG, or name the server",
    },
  );
}
