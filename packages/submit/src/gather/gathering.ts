import type { ConfigurationRequest, Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Notices } from "../notices.ts";
import type { Access } from "../access.ts";
import type { FindInstallation } from "./installation/find-installation.ts";
import type { ConnectCluster } from "./installation/gather-installation.ts";
import type { FindNamespaceLabels } from "./installation/namespace-labels.ts";
import type { Connection } from "./kubeconfig/gather-cluster.ts";

export interface GatherOptions {
  /** How the API server will be reached. Default: as the kubeconfig says. */
  readonly connection?: Connection;
  /** How to look for an installation. Default: in the cluster, each time; `cachedInstallations` remembers the answer. */
  readonly installations?: FindInstallation | undefined;
  /** How to look up the labels of the namespace. Default: in the cluster, each time. */
  readonly namespaceLabels?: FindNamespaceLabels | undefined;
  /**
   * Makes the client for looking for the installation, if the connection is no client. The caller closes this client.
   * Default: a client that gathering closes.
   */
  readonly connectCluster?: ConnectCluster | undefined;
  /** Called with a line that says what is waited for: a credential plug-in, or the resolution of packages. */
  readonly tell?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the texts that may not be shown. */
  readonly secrets?: Redactor;
}

/** For which request things are gathered, and by which means. */
export interface Gathering {
  readonly request: ConfigurationRequest;
  readonly outside: Outside;
  readonly access: Access;
  readonly notices: Notices;
  readonly connection: Connection;
  readonly tell: (message: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly secrets: Redactor;
  readonly options: Pick<GatherOptions, "installations" | "namespaceLabels" | "connectCluster">;
}
