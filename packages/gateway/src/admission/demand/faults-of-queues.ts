import type { Queues } from "../../config/queues/queues-file.ts";
import type { Namespaces } from "./namespaces.ts";

/** What is wrong with the queues, in sentences for people. */
export function faultsOfQueues({ refused }: Queues, { fault }: Namespaces): readonly string[] {
  return [refused, fault].filter((one) => one !== undefined);
}
