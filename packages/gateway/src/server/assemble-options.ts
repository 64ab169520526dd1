import type { Step } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { AuditLog, Log } from "@kindling/service";
import type { ClusterRoom } from "../admission/demand/cluster-room.ts";
import type { Namespaces } from "../admission/demand/namespaces.ts";
import type { Policy } from "../admission/dispatcher.ts";
import type { KueueWatch } from "../admission/kueue/kueue-watch.ts";
import type { ClusterWatch } from "../cluster/cluster-watch.ts";
import type { SetWatch } from "../cluster/set-watch.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { Queues } from "../config/queues/queues-file.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import type { Authority } from "../controllers/ca-certificates/authority.ts";
import type { TokenRenewer } from "@kindling/kerberos";
import type { DriverConnections } from "../driver-api/connections/driver-connections.ts";
import type { MemoryPlan } from "../views/memory/memory-plan.ts";

/** The parts that also run while another replica leads. */
export interface AssembleOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly cluster: ClusterWatch;
  readonly setWatch: SetWatch;
  readonly metrics: Metrics;
  readonly clusterRoom: ClusterRoom;
  /** Undefined if applications cannot wait in LocalQueues of Kueue. */
  readonly kueue: KueueWatch | undefined;
  readonly queues: Queues;
  readonly namespaces: Namespaces;
  readonly authority: Authority;
  readonly connections: DriverConnections;
  /** Undefined if no delegation tokens are renewed. */
  readonly tokenRenewer: TokenRenewer | undefined;
  /** Default: `planAdmission`. */
  readonly policy: Policy | undefined;
  readonly steps: readonly Step[];
  readonly memory: MemoryPlan;
  readonly log: Log;
  readonly auditLog: AuditLog;
}
