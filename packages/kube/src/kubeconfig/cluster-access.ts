import type { Proxy } from "@kindling/http";
import type { CredentialSource } from "../credentials/credential-source.ts";

/** All that is needed to speak with one API server in one user's name. */
export interface ClusterAccess {
  /** Which of the sources gave the base: worth a log line, since it decides whose rights are used. */
  readonly origin: "kubeconfig" | "in-cluster" | "options";
  /** `http(s)://host:port/prefix`, without a slash at the end. */
  readonly server: string;
  /** The namespace that the context or the pod names. */
  readonly namespace: string | undefined;
  readonly contextName: string | undefined;
  readonly tls: TlsSettings;
  /** What to go through: `parseProxy` of `@kindling/http` makes one of a URL. */
  readonly proxy: Proxy | undefined;
  readonly credentials: CredentialSource;
}

/** How the server proves itself. */
export interface TlsSettings {
  /** PEM bundle; the system's authorities where absent. */
  readonly ca: string | undefined;
  /** The name to ask for and to check, where it is not the server's address. */
  readonly servername: string | undefined;
  readonly insecureSkipVerify: boolean;
}
