import { Usage } from "../admission/demand/usage.ts";
import { faultsOfQueues } from "../admission/demand/faults-of-queues.ts";
import type { Overview } from "@kindling/gateway-client";
import { overviewOf } from "../console/overview/overview-of.ts";
import type { Standby } from "./standby.ts";

/** The overview of a gateway that knows no applications because another replica leads. */
export function emptyOverview(
  { clusterRoom, queues, namespaces }: Pick<Standby, "clusterRoom" | "queues" | "namespaces">,
  now: number,
): Overview {
  return overviewOf({
    snapshot: {
      ...{ now, queues: queues.root, quotas: [], applications: [] },
      capacity: clusterRoom.capacity(() => new Usage(), new Map()),
    },
    names: new Map(),
    waits: new Map(),
    queueFaults: faultsOfQueues(queues, namespaces),
  });
}
