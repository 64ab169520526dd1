import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Event } from "kubernetes-types/core/v1.js";
import type { FakeApplication } from "../support/fake-application.ts";

/** What the gateway has written about a driver. */
export async function eventsOf(cluster: TestCluster, { driver }: FakeApplication): Promise<string[]> {
  const { items } = (await cluster.send("GET", driver.path("events"))) as { readonly items: Event[] };
  return items.flatMap(({ involvedObject, message }) => (involvedObject.uid === driver.uid ? [message ?? ""] : []));
}
