import type { Overview } from "@kindling/gateway-client";
import type { ReviewedAction, ReviewedUser } from "@kindling/service";

/** Asks whether a user may do something in the cluster. */
export type AskRight = (user: ReviewedUser, action: ReviewedAction) => Promise<{ readonly allowed: boolean }>;

/** The rights of this many namespaces are asked about at the same time. */
const AT_ONCE = 8;

/** What a user may see: all queues and the capacity, and the applications of namespaces in which the user may get pods. */
export async function visibleOverview(overview: Overview, user: ReviewedUser, ask: AskRight): Promise<Overview> {
  const namespaces = [...new Set(overview.applications.map(({ namespace }) => namespace))].values();
  const visible = new Set<string>();
  const work = async (): Promise<void> => {
    for (const namespace of namespaces)
      if ((await ask(user, { verb: "get", resource: "pods", namespace })).allowed) visible.add(namespace);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { ...overview, applications: overview.applications.filter(({ namespace }) => visible.has(namespace)) };
}
