import type { Clock } from "../clock.ts";

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
  readonly readFile?: ((path: string) => Promise<string>) | undefined;
  readonly clock?: Clock | undefined;
  /** Where a pod finds its service account; `/var/run/secrets/kubernetes.io/serviceaccount` by default. */
  readonly serviceAccountDir?: string | undefined;
}

export interface LoadOptions extends LoadWorld {
  /** One file instead of `KUBECONFIG` and `~/.kube/config`; it must exist. */
  readonly kubeconfigPath?: string | undefined;
  /** Context to use instead of the current one. */
  readonly context?: string | undefined;
  /** Whether exec plug-ins may use the terminal (standard input and standard error). */
  readonly interactive?: boolean | undefined;
  readonly overlays?: AccessOverlays | undefined;
}
