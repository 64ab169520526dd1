import type { KubeObjectLike } from "@kindling/kube";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import { helm, uninstallIfThere } from "../stack/helm.ts";
import { IMAGE_TAG } from "../stack/installed.ts";

/** The folder with the stock operator from `kubeflow/build.mjs`, if it was built. Its image must be loaded into the nodes. */
export const KUBEFLOW_OPERATOR: string | undefined = process.env["KINDLING_E2E_KUBEFLOW_OPERATOR"];

const PAGE = new URL("../../../docs/submission-server.md", import.meta.url);
// The accounts in the operator's examples begin with it.
const RELEASE = "spark-operator";
const IMAGE = { registry: "docker.io", repository: "kindling-test/spark-operator", tag: "stock", pullPolicy: "Never" };

/** The chart's values in the documentation, for a namespace of applications and the nodes' images. */
export function valuesOfDocumentation(applications: string): string {
  const page = readFileSync(PAGE, "utf8");
  const [, block = ""] = /^```yaml\n(controller:\n.*?)^```$/ms.exec(page) ?? [];
  const text = block.replaceAll("spark-jobs", applications).replaceAll(/(kindling\/[\w-]+):\S+/g, `$1:${IMAGE_TAG}`);
  return stringify({ ...(parse(text) as object), image: IMAGE });
}

export async function installOperator(namespace: string, values: string): Promise<void> {
  const chart = join(KUBEFLOW_OPERATOR ?? "", "chart");
  await helm([
    ...["install", RELEASE, chart, "--namespace", namespace, "--values", values, "--wait", "--timeout", "3m"],
  ]);
}

export async function uninstallOperator(namespace: string): Promise<void> {
  await uninstallIfThere(RELEASE, namespace);
}

/**
 * The objects of the operator's own examples, in a namespace, by the names of their files. An example that asks for whole
 * processors gets less: test clusters are small.
 *
 * @param release the folder of an operator
 */
export function examples(
  namespace: string,
  release: string = KUBEFLOW_OPERATOR ?? "",
): ReadonlyMap<string, readonly KubeObjectLike[]> {
  const folder = join(release, "examples");
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return new Map(files.map((name) => [name, objectsOf(readFileSync(join(folder, name), "utf8"), namespace)]));
}

function objectsOf(text: string, namespace: string): readonly KubeObjectLike[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as Example | null;
    if (object === null) return [];
    const { metadata, spec } = object;
    const moved = { ...object, metadata: { ...metadata, namespace } };
    if (spec?.driver === undefined) return [moved];
    const small = { coreRequest: "100m" };
    const roles = { driver: { ...small, ...spec.driver }, executor: { ...small, ...spec.executor } };
    return [{ ...moved, spec: { ...spec, ...roles } }];
  });
}

interface Example extends KubeObjectLike {
  readonly spec?: { readonly driver?: object; readonly executor?: object };
}
