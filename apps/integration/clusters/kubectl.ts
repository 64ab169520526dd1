import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { textOf } from "./requests.ts";
import type { EmptyNamespace } from "./test-cluster.ts";

const run = promisify(execFile);

/** The columns that `kubectl get` shows for a SparkApplication. */
export async function shownColumns(
  { client, name: namespace }: EmptyNamespace,
  name: string,
): Promise<Readonly<Record<string, unknown>>> {
  const path = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications/${name}`;
  const answer = await textOf(client, path, "application/json;as=Table;v=v1;g=meta.k8s.io");
  const { columnDefinitions, rows } = JSON.parse(answer) as Table;
  return Object.fromEntries(columnDefinitions.map((column, index) => [column.name, rows[0]?.cells[index]]));
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/**
 * Waits for the end of a SparkApplication as scripts do.
 *
 * @returns the output of kubectl; undefined if there is no kubectl
 */
export async function kubectlWait(namespace: string, name: string): Promise<string | undefined> {
  const state = "--for=jsonpath={.status.applicationState.state}=COMPLETED";
  const args = ["wait", state, `sparkapp/${name}`, "--namespace", namespace, "--timeout=120s"];
  try {
    return (await run("kubectl", args)).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
