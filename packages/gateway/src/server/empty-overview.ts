import type { Surroundings } from "../admission/demand/surroundings.ts";
import { Usage } from "../admission/demand/usage.ts";
import type { Namespaces } from "../admission/demand/namespaces.ts";
import { faultsOfQueues } from "../admission/demand/faults-of-queues.ts";
import type { Queues } from "../config/queues/queues-file.ts";
import type { Overview } from "@kindling/gateway-client";
import { overviewOf } from "../console/overview/overview-of.ts";

/** The overview of a gateway that knows no applications because another replica leads. */
export function emptyOverview(
  surroundings: Surroundings,
  queues: Queues,
  namespaces: Namespaces,
  now: number,
): Overview {
  return overviewOf({
    snapshot: {
      ...{ now, queues: queues.root, quotas: [], applications: [] },
      capacity: surroundings.capacity(new Usage(), new Map()),
    },
    names: new Map(),
    waits: new Map(),
    queueFaults: faultsOfQueues(queues, namespaces),
  });
}
