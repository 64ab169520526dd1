import { ApiClient } from "@kindling/test-kit/api-client";
import type { Connection } from "@kindling/test-kit/api-connection";
import { at, CaseContext, itemsOf } from "@kindling/test-kit/case-context";
import type { ConformanceCase } from "./conformance-case.ts";

/**
 * Runs one case, as the administrator of the connection, and deletes what it created. Rejects if the server behaves
 * otherwise.
 */
export async function runCase(one: ConformanceCase, connection: Connection): Promise<void> {
  const client = new ApiClient(connection);
  const context = new CaseContext(client, one.namespace === "own" ? await ownNamespace(client) : "default");
  try {
    await one.run(context);
  } catch (error) {
    // The failure of the case is more important than a failure of the cleanup.
    if (one.namespace === "own") await releaseConfigMaps(context).catch(() => undefined);
    throw error;
  } finally {
    await context.end();
    if (one.namespace === "own") await client.delete(`/api/v1/namespaces/${context.namespace}`);
    client.close();
  }
}

// A failed case may leave objects with finalizers, and the namespace would never be deleted.
async function releaseConfigMaps(context: CaseContext): Promise<void> {
  const { client } = context;
  for (const item of itemsOf(await client.get(context.path("configmaps")))) {
    if (at(item, "metadata.finalizers") === undefined) continue;
    const path = context.path("configmaps", String(at(item, "metadata.name")));
    await client.patch(path, "merge", { metadata: { finalizers: null } });
  }
}

async function ownNamespace(client: ApiClient): Promise<string> {
  const context = new CaseContext(client, "default");
  const made = await context.create("/api/v1/namespaces", { metadata: { generateName: "conformance-" } });
  const namespace = String(at(made, "metadata.name"));
  // Pods need the account, and lists of config maps must be the same at any time.
  for (const path of ["serviceaccounts/default", "configmaps/kube-root-ca.crt"])
    await context.until(
      async () => await client.get(`/api/v1/namespaces/${namespace}/${path}`),
      ({ status }) => status === 200,
      path,
    );
  return namespace;
}
