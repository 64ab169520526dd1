import type { Overview } from "@kindling/gateway-client";
import type { ReviewedAction, ReviewedUser } from "@kindling/service";
import { allowedNamespaces } from "./allowed-namespaces.ts";

/** Asks whether a user may do something in the cluster. */
export type AskRight = (user: ReviewedUser, action: ReviewedAction) => Promise<{ readonly allowed: boolean }>;

/** What a user may see: all queues and the capacity, and the applications of namespaces in which the user may get pods. */
export async function visibleOverview(overview: Overview, user: ReviewedUser, ask: AskRight): Promise<Overview> {
  const visible = await allowedNamespaces(
    overview.applications.map(({ namespace }) => namespace),
    async (namespace) => (await ask(user, { verb: "get", resource: "pods", namespace })).allowed,
  );
  return { ...overview, applications: overview.applications.filter(({ namespace }) => visible.has(namespace)) };
}
