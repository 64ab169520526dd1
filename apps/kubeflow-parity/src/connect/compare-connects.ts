// Whether Kindling's operator makes the same objects for a SparkConnect as the stock operator: kubeflow/spark-operator v2.5.2,
// with its own reconciler.
import type { ConfigMap, Pod, Service } from "@kindling/core-spec";
import { serverPod, serverService, templateMap } from "@kindling/operator/testing";
import type { SparkConnect } from "@kindling/spark-application";
import { parse } from "yaml";
import { askStock } from "../ask-stock.ts";
import { differences } from "../differences.ts";
import { generatedConnect } from "./generated-connects.ts";
import { bare, comparedPod } from "./meant-differences.ts";

interface StockConnect {
  readonly error?: string;
  readonly pod?: Pod;
  readonly service?: Service;
  readonly configMap?: ConfigMap;
}

export interface ComparedConnects {
  readonly connects: number;
  readonly objects: number;
  readonly differences: readonly string[];
}

/** The address of the API server, for both operators. */
const HOST = "10.96.0.1";
const MASTER = `k8s://https://${HOST}:443`;

/**
 * Compares the pod, the service and the ConfigMap of generated objects, field by field; of the pod's command line, what a shell
 * makes of it. Intended differences are removed before (`meant-differences.ts`).
 *
 * @param program kindling-compare
 * @param count how many objects
 */
export function compareConnects(program: string, count: number = 300): ComparedConnects {
  const connects = Array.from({ length: count }, (_, index) => generatedConnect(index + 1));
  const questions = connects.map((connect) => ({ what: "connect" as const, connect }));
  const env = { KUBERNETES_SERVICE_HOST: HOST, KUBERNETES_SERVICE_PORT: "443" };
  const answers = askStock<StockConnect>(program, questions, env);
  const found = connects.flatMap((connect, index) => {
    const { error, ...objects } = answers[index] ?? { error: "there is no answer" };
    const texts = error === undefined ? differences(compared(objects), compared(ours(connect))) : [`: stock: ${error}`];
    return texts.map((text) => `${connect.metadata.name}${text}`);
  });
  return { connects: count, objects: 3 * count, differences: found };
}

function ours(connect: SparkConnect): StockConnect {
  return { pod: serverPod(connect, MASTER), service: serverService(connect), configMap: templateMap(connect) };
}

function compared({ pod, service, configMap }: StockConnect): unknown {
  return {
    pod: comparedPod(pod ?? {}),
    service: bare(withoutKind(service)),
    configMap: bare(withoutKind(configMap)),
    template: bare(parse(configMap?.data?.["executor-pod-template.yaml"] ?? "")),
  };
}

/** Go's objects know their kind without a field; a ConfigMap's data is compared apart. */
function withoutKind(object: Service | ConfigMap | undefined): object {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = { apiVersion: undefined, kind: undefined, ...object };
  return "data" in rest ? { ...rest, data: Object.keys(rest.data ?? {}) } : rest;
}
