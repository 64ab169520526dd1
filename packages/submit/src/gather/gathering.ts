import type { ConfigurationRequest, Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Notices } from "../notices.ts";
import type { Access } from "../access.ts";
import type { FindInstallation } from "./installation/find-installation.ts";
import type { ConnectCluster } from "./installation/gather-installation.ts";
import type { Connection } from "./kubeconfig/gather-cluster.ts";

export interface GatherOptions {
  /** How the API server will be reached. Default: as the kubeconfig says. */
  readonly connection?: Connection;
  /** How an installation is looked for. Default: in the cluster, each time; `cachedInstallations` remembers it. */
  readonly installations?: FindInstallation | undefined;
  /**
   * Makes the client that the installation is looked for with, where the connection is no client; whoever gathers closes
   * it. Default: one that gathering closes.
   */
  readonly connectCluster?: ConnectCluster | undefined;
  /** Told, in one line, what is waited for: a credential plug-in, the resolution of packages. */
  readonly tell?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Learns what may not be shown. */
  readonly secrets?: Redactor;
}

/** What is gathered for whom, and by what means. */
export interface Gathering {
  readonly request: ConfigurationRequest;
  readonly outside: Outside;
  readonly access: Access;
  readonly notices: Notices;
  readonly connection: Connection;
  readonly tell: (message: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly secrets: Redactor;
  readonly options: Pick<GatherOptions, "installations" | "connectCluster">;
}
