import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNotFound, resources } from "@kindling/kube";
import { parse } from "yaml";
import { SPARK_APPLICATIONS } from "./applications.mjs";

const FOLDER = fileURLToPath(new URL("../../../deploy/helm/kindling-operator/crds", import.meta.url));

/** Makes the custom resource definitions of the chart, where there are none, and waits until they are served. */
export async function applyDefinitions(client) {
  for (const file of readdirSync(FOLDER)) {
    const definition = parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
    try {
      await client.get(resources.customresourcedefinitions, definition.metadata.name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(resources.customresourcedefinitions, definition);
    }
  }
  while (!(await isServed(client))) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function isServed(client) {
  try {
    await client.listAll(SPARK_APPLICATIONS, { namespace: "default" });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
