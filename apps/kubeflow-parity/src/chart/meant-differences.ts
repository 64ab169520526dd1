// The intended differences between objects of our chart and objects of the stock chart.
import type { PodSpec } from "@kindling/core-spec";
import type { Probe } from "kubernetes-types/core/v1.js";
import { mainContainer, type Rendered, type RenderedSpec } from "./rendered.ts";

/** Flags that have no meaning for an operator that is not a Go program. */
const GO_FLAGS = /^--(?:zap-encoder|pprof-bind-address|workqueue-ratelimiter-[a-z-]+)=/;

/**
 * Flags that the stock chart always sets, and our chart only when a user asks for them. Our chart need not name all namespaces.
 */
const STOCK_FLAGS = new Set(["--kube-api-qps=20", "--kube-api-burst=30", '--namespaces=""']);

/** What only the stock operator does: it reads definitions, and it writes events of the leader election. */
const LEFT_OUT_RESOURCES = new Set(["customresourcedefinitions", "events"]);

/** Whether a stock object belongs to the webhook. Our chart has no webhook. */
export function isWebhooks({ metadata }: Rendered): boolean {
  return metadata.labels?.["app.kubernetes.io/component"] === "webhook";
}

/**
 * Whether a stock object has no counterpart on purpose: it belongs to the webhook, or only to something that our operator does
 * not do.
 */
export function isLeftOut(object: Rendered, objects: readonly Rendered[]): boolean {
  const { kind, metadata } = object;
  if (isWebhooks(object)) return true;
  // The port of Go's profiler.
  if (kind === "Service") return true;
  if (!/^(?:Cluster)?Role(?:Binding)?$/.test(kind) || metadata.annotations?.["helm.sh/hook"] !== undefined)
    return false;
  const role = objects.find(
    (one) =>
      one.kind === kind.replace("Binding", "") &&
      one.metadata.name === metadata.name &&
      one.metadata.namespace === metadata.namespace,
  );
  const rules = role?.rules ?? [];
  return rules.every(({ resources = [] }) => resources.every((resource) => LEFT_OUT_RESOURCES.has(resource)));
}

/** An object without the parts that are meant to be different in each chart. */
export function compared({ kind, apiVersion, metadata, rules: _rules, spec, ...object }: Rendered): object {
  const { "helm.sh/chart": _chart, "app.kubernetes.io/version": _version, ...labels } = metadata.labels ?? {};
  return {
    ...{ ...object, kind, apiVersion, metadata: { ...metadata, labels, namespace: undefined } },
    ...(spec !== undefined && { spec: comparedSpec(kind, spec) }),
  };
}

/** What is compared of the pods that each kind of object makes. */
const CHANGES: Readonly<Record<string, (pod: PodSpec) => object>> = { Deployment: comparedPod, Job: comparedJob };

function comparedSpec(kind: string, spec: RenderedSpec): object {
  const { template, podMetricsEndpoints: [monitored] = [] } = spec;
  if (kind === "PodMonitor" && monitored !== undefined) {
    // The stock monitor always asks at /metrics, even if the metrics are at another path.
    const { path: _path, ...endpoint } = monitored;
    return { ...spec, podMetricsEndpoints: [endpoint] };
  }
  const change = CHANGES[kind];
  if (template === undefined || change === undefined) return spec;
  return { ...spec, template: { ...template, spec: change(template.spec) } };
}

function comparedPod(spec: PodSpec): object {
  const { containers: _containers, enableServiceLinks: _links, ...pod } = spec;
  const [container, sidecars] = mainContainer(spec);
  const {
    image: _image,
    startupProbe: _startup,
    livenessProbe,
    readinessProbe,
    args = [],
    ports = [],
    ...rest
  } = container;
  return {
    ...pod,
    containers: [
      {
        ...rest,
        probes: [livenessProbe, readinessProbe].map(askedBy),
        args: args.filter((flag) => !GO_FLAGS.test(flag) && !STOCK_FLAGS.has(flag)).toSorted(),
        ports: ports.filter(({ name }) => name !== "pprof"),
      },
      ...sidecars,
    ],
  };
}

function askedBy(probe: Probe | undefined): object | undefined {
  if (probe?.httpGet === undefined) return undefined;
  const { scheme: _scheme, ...asked } = probe.httpGet;
  return asked;
}

/** The Job runs another program, which has its definitions in a ConfigMap. */
function comparedJob(spec: PodSpec): object {
  const { containers: _containers, enableServiceLinks: _links, volumes: _volumes, ...pod } = spec;
  const [{ name, imagePullPolicy }] = mainContainer(spec);
  return { ...pod, containers: [{ name, imagePullPolicy }] };
}
