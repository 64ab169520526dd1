import { resources } from "@kindling/kube";
import type { Stage } from "./stage.ts";

/** Makes a namespace with an account for drivers. */
export async function makeNamespace(
  { client, namespaceLabels }: Pick<Stage, "client" | "namespaceLabels">,
  name: string,
): Promise<void> {
  await client.create(resources.namespaces, { metadata: { name, labels: namespaceLabels } });
  await client.create(resources.serviceaccounts, { metadata: { name: "spark" } }, { namespace: name });
}

/** Resolves when its deletion has begun; the rest takes long in a real cluster. */
export async function removeNamespace({ client }: Pick<Stage, "client">, name: string): Promise<void> {
  await client.request({ method: "DELETE", path: `/api/v1/namespaces/${name}` });
}
