import type { CredentialSource } from "../credentials/credential-source.ts";
import type { TlsSettings } from "./cluster-access.ts";

/** What one source says about the cluster, before overlays and checks. */
export interface BaseAccess {
  readonly origin: "kubeconfig" | "in-cluster" | "options";
  readonly server: string | undefined;
  /** The source of the server's address, for errors. */
  readonly serverSource: string;
  readonly namespace: string | undefined;
  readonly contextName: string | undefined;
  readonly tls: TlsSettings;
  readonly proxyUrl: string | undefined;
  readonly credentials: CredentialSource;
}
