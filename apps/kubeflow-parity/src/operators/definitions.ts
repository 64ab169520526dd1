import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlreadyExists, type KubeClient, resources } from "@kindling/kube";
import { parse } from "yaml";
import { PLACES } from "../repository.ts";

/** Creates the custom resource definitions of the chart if they are missing, and waits until they are served. Stock needs all three. */
export async function applyDefinitions(client: KubeClient): Promise<void> {
  for (const file of readdirSync(PLACES.definitions)) await makeDefinition(client, join(PLACES.definitions, file));
}

/** Creates a definition and waits until the API server serves it. */
async function makeDefinition(client: KubeClient, file: string): Promise<void> {
  const definition = parse(readFileSync(file, "utf8")) as { readonly metadata: { readonly name: string } };
  const { name } = definition.metadata;
  try {
    await client.create(resources.customresourcedefinitions, definition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const isEstablished = async (): Promise<boolean> => {
    const { status } = await client.get(resources.customresourcedefinitions, name);
    return status?.conditions?.some(({ type, status: holds }) => type === "Established" && holds === "True") === true;
  };
  while (!(await isEstablished())) await new Promise((resolve) => setTimeout(resolve, 100));
}
