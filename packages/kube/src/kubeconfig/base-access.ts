import type { CredentialSource } from "../credentials/credential-source.ts";
import type { TlsSettings } from "./cluster-access.ts";

/** What one source says of the cluster, before overlays and checks. */
export interface BaseAccess {
  readonly origin: "kubeconfig" | "in-cluster" | "options";
  readonly server: string | undefined;
  /** What named the server, for errors. */
  readonly serverSource: string;
  readonly namespace: string | undefined;
  readonly contextName: string | undefined;
  readonly tls: TlsSettings;
  readonly proxyUrl: string | undefined;
  readonly credentials: CredentialSource;
}
