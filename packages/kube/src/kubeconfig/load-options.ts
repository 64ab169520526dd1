import type { Clock } from "../clock.ts";
import type { CredentialTimes } from "../credentials/credential-times.ts";

/** Values that win over what the kubeconfig or the pod's service account says; Spark's `authenticate.submission.*`. */
export interface AccessOverlays {
  /** API server URL. */
  readonly server?: string | undefined;
  readonly namespace?: string | undefined;
  readonly caFile?: string | undefined;
  /** Client certificate and key files in PEM; only together. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** At most one of the two. The file is read again about once a minute. */
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  /** Accept any server certificate. */
  readonly insecure?: boolean | undefined;
}

/** The outside world, for the one who loads; all have defaults. */
export interface LoadWorld {
  /** Environment: `KUBECONFIG`, `KUBERNETES_SERVICE_HOST`, proxies; also handed to exec plug-ins. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly homeDir?: string | undefined;
  readonly readFile?: ((path: string, signal?: AbortSignal) => Promise<string>) | undefined;
  readonly clock?: Clock | undefined;
  /** Whether standard input and standard error are terminals. */
  readonly isTerminal?: ((stream: "stdin" | "stderr") => boolean) | undefined;
  /** Where a pod finds its service account; `/var/run/secrets/kubernetes.io/serviceaccount` by default. */
  readonly serviceAccountDir?: string | undefined;
}

export interface LoadOptions extends LoadWorld {
  /** One file instead of `KUBECONFIG` and `~/.kube/config`; it must exist. */
  readonly kubeconfigPath?: string | undefined;
  /** Context to use instead of the current one. */
  readonly context?: string | undefined;
  /** Whether exec plug-ins may use the terminal: standard error in any case, standard input where it is a terminal. */
  readonly interactive?: boolean | undefined;
  /**
   * Told what is waited for when credentials take long: a plug-in, an auth-provider's library, a file that is a pipe. One
   * line without a full stop, such as `waiting for the credential plug-in aws of user "ann" in config, for 60 s at most`.
   */
  readonly onWait?: ((notice: string) => void) | undefined;
  readonly credentialTimes?: Partial<CredentialTimes> | undefined;
  readonly overlays?: AccessOverlays | undefined;
}
