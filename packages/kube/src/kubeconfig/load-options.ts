import type { Outside } from "@kindling/outside";
import type { CredentialTimes } from "../credentials/credential-times.ts";
import type { FilesOutside } from "../files-outside.ts";

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

/**
 * Without `env`, this process's own environment is used: for the kubeconfig's path, proxies, exec plug-ins and the pod's
 * address.
 */
export interface LoadOptions extends Partial<Pick<Outside, "env" | "clock">>, Partial<FilesOutside> {
  /** Whether standard input and standard error are terminals. */
  readonly isTerminal?: ((stream: "stdin" | "stderr") => boolean) | undefined;
  /** One file instead of `KUBECONFIG` and `~/.kube/config`; it must exist. */
  readonly kubeconfigPath?: string | undefined;
  /** Context to use instead of the current one. */
  readonly context?: string | undefined;
  /** Whether exec plug-ins may use the terminal: standard error in any case, standard input if it is a terminal. */
  readonly interactive?: boolean | undefined;
  /**
   * Told what the wait is for when credentials take long: a plug-in, an auth-provider's library, a file that is a pipe. One
   * line without a full stop, such as `waiting for the credential plug-in aws of user "ann" in config, for 60 s at most`.
   */
  readonly onWait?: ((notice: string) => void) | undefined;
  readonly credentialTimes?: Partial<CredentialTimes> | undefined;
  readonly overlays?: AccessOverlays | undefined;
}
