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

/** Makes a namespace whose application is gone as good as a new one, which is cheaper: its end costs an API server a lot. */
export async function clearNamespace({ client, bystander }: Stage, name: string): Promise<void> {
  const fieldSelector = "metadata.name!=default,metadata.name!=spark";
  await client.deleteCollection(resources.serviceaccounts, { namespace: name, fieldSelector });
  bystander.forget(name);
}

/** Resolves when its end has begun; a real cluster takes its time for the rest. */
export async function removeNamespace({ client }: Pick<Stage, "client">, name: string): Promise<void> {
  await client.request({ method: "DELETE", path: `/api/v1/namespaces/${name}` });
}
