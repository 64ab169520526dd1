import type { Proxy } from "@kindling/http";
import type { CredentialSource } from "../credentials/credential-source.ts";

/** Everything that is needed to talk to one API server as one user. */
export interface ClusterAccess {
  /** Which source was used as the base. It is worth a log line, because it decides whose rights are used. */
  readonly origin: "kubeconfig" | "in-cluster" | "options";
  /** `http(s)://host:port/prefix`, without a slash at the end. */
  readonly server: string;
  /** The namespace that the context or the pod names. */
  readonly namespace: string | undefined;
  readonly contextName: string | undefined;
  readonly tls: TlsSettings;
  /** The proxy to use: `parseProxy` of `@kindling/http` creates one from a URL. */
  readonly proxy: Proxy | undefined;
  readonly credentials: CredentialSource;
}

/** How the server proves itself. */
export interface TlsSettings {
  /** PEM bundle; if absent, the system's authorities. */
  readonly ca: string | undefined;
  /** The server name to send and to check, if it is not the server's address. */
  readonly servername: string | undefined;
  readonly insecureSkipVerify: boolean;
}
