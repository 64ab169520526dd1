import { parseAllDocuments } from "yaml";
import { CHART, helm } from "./helm.ts";

/** An object of the chart, with the fields that tests read. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly Readonly<Record<string, string>>[];
  readonly roleRef?: Readonly<Record<string, string>>;
  readonly spec?: Spec;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Spec {
  readonly replicas?: number;
  readonly strategy?: Readonly<Record<string, unknown>>;
  readonly template?: { readonly metadata: Rendered["metadata"]; readonly spec: PodSpec };
  readonly ingress?: readonly { readonly ports: readonly object[]; readonly from?: readonly object[] }[];
  readonly [field: string]: unknown;
}

export interface PodSpec {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly Readonly<Record<string, unknown>>[];
  readonly volumes: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** The namespace that it is rendered for. */
export const NAMESPACE = "spark-system";

/** Values of the chart, as a tree. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * The objects that the chart makes from values, for the oldest supported Kubernetes.
 *
 * @param flags further flags of Helm
 * @throws Error with Helm's message
 */
export async function render(values: Values = {}, flags: readonly string[] = []): Promise<Rendered[]> {
  return await renderChart(CHART, "kindling", ["--kube-version", "1.28.0", ...flags, ...valueFlags(values)]);
}

/** The objects that a chart makes from Helm's flags. @throws Error with Helm's message */
export async function renderChart(chart: string, release: string, flags: readonly string[]): Promise<Rendered[]> {
  const text = await helm(["template", release, chart, "--namespace", NAMESPACE, ...flags]);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

/** Flags that give Helm these values. */
export function valueFlags(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["--set-json", `${name}=${JSON.stringify(value)}`]);
}

/** @throws Error if there is none */
export function find(objects: readonly Rendered[], kind: string, name: string, namespace?: string): Rendered {
  const found = objects.find(
    (object) =>
      object.kind === kind &&
      object.metadata.name === name &&
      (namespace === undefined || object.metadata.namespace === namespace),
  );
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}
