import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { ConnectionGuard, Log } from "@kindling/service";
import type { Applications } from "../applications/applications.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { EventSource } from "../events/event-stream.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestAudit } from "../http/audit.ts";
import type { Gates } from "../http/gates.ts";
import type { Submissions } from "../submissions/submissions.ts";

/** What routes need. */
export interface ServiceContext {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
  readonly audit: RequestAudit;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  readonly submissions: Submissions;
  readonly applications: Applications;
  readonly events: EventSource;
  readonly gates: Gates;
  readonly connections: ConnectionGuard;
  /** Ends streams when the service stops. */
  readonly stopping: AbortSignal;
}
