import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAlreadyExists, resources } from "@kindling/kube";
import { parse } from "yaml";

const FOLDER = fileURLToPath(new URL("../../../deploy/helm/kindling-operator/crds", import.meta.url));

/** Makes the custom resource definitions of the chart, where there are none, and waits until they are served. */
export async function applyDefinitions(client) {
  for (const file of readdirSync(FOLDER)) await makeDefinition(client, join(FOLDER, file));
}

/** Stock's operator does not start without its third kind. */
export async function applyStockDefinitions(client, source) {
  await makeDefinition(client, join(source, "config", "crd", "bases", "sparkoperator.k8s.io_sparkconnects.yaml"));
}

/** Makes a definition and waits until the API server serves it. */
async function makeDefinition(client, file) {
  const definition = parse(readFileSync(file, "utf8"));
  const { name } = definition.metadata;
  try {
    await client.create(resources.customresourcedefinitions, definition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const isEstablished = async () => {
    const { status } = await client.get(resources.customresourcedefinitions, name);
    return status?.conditions?.some(({ type, status: holds }) => type === "Established" && holds === "True") === true;
  };
  while (!(await isEstablished())) await new Promise((resolve) => setTimeout(resolve, 100));
}
