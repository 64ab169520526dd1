import type { Surroundings } from "../demand/surroundings.ts";
import { Usage } from "../demand/usage.ts";
import type { Namespaces } from "../demand/namespaces.ts";
import { faultsOfQueues } from "../demand/faults-of-queues.ts";
import type { Queues } from "../queues/queues-file.ts";
import type { Overview } from "../overview/overview.ts";
import { overviewOf } from "../overview/overview-of.ts";

/** What there is, of a gateway that knows no applications since another replica leads. */
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
