import { resources } from "@kindling/kube";
import type { Stage } from "./stage.ts";

/** Makes a namespace with an account for drivers. */
export async function makeNamespace({ client }: Pick<Stage, "client">, name: string): Promise<void> {
  await client.create(resources.namespaces, { metadata: { name } });
  await client.create(resources.serviceaccounts, { metadata: { name: "spark" } }, { namespace: name });
}
