/** Flags that say nothing to an operator that is no Go program. */
const GO_FLAGS = /^--(?:zap-encoder|pprof-bind-address|workqueue-ratelimiter-[a-z-]+)=/;

/** Flags that stock's chart sets for all, and ours where somebody has asked for it; and all namespaces, which ours need not say. */
const STOCK_FLAGS = new Set(["--kube-api-qps=20", "--kube-api-burst=30", '--namespaces=""']);

/** What stock's operator does and ours does not: reading definitions, and events of the leader election. */
const LEFT_OUT_RESOURCES = new Set(["customresourcedefinitions", "events"]);

/** Whether an object of stock's has no counterpart on purpose: it is the webhook's, or only for what ours does not do. */
export function isLeftOut(object, objects) {
  const { kind, metadata } = object;
  if (metadata.labels?.["app.kubernetes.io/component"] === "webhook") return true;
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
  return role.rules.every(({ resources }) => resources.every((resource) => LEFT_OUT_RESOURCES.has(resource)));
}

/** An object without what is meant to be another one in each chart. */
export function compared({ kind, apiVersion, metadata, ...object }) {
  const { "helm.sh/chart": _chart, "app.kubernetes.io/version": _version, ...labels } = metadata.labels ?? {};
  const same = { ...object, kind, apiVersion, metadata: { ...metadata, labels, namespace: undefined } };
  delete same.rules;
  if (kind === "PodMonitor") {
    // Stock's monitor asks at /metrics, wherever the metrics are.
    const [{ path: _path, ...endpoint }] = object.spec.podMetricsEndpoints;
    return { ...same, spec: { ...object.spec, podMetricsEndpoints: [endpoint] } };
  }
  if (kind === "Deployment") return withPod(same, comparedPod);
  if (kind === "Job") return withPod(same, comparedJob);
  return same;
}

function withPod(object, change) {
  const { template, ...spec } = object.spec;
  return { ...object, spec: { ...spec, template: { ...template, spec: change(template.spec) } } };
}

function comparedPod({ containers: [container, ...sidecars], enableServiceLinks: _links, ...pod }) {
  const { image: _image, startupProbe: _startup, livenessProbe, readinessProbe, args, ports, ...rest } = container;
  const asked = ({ httpGet: { scheme: _scheme, ...httpGet } }) => httpGet;
  return {
    ...pod,
    containers: [
      {
        ...rest,
        probes: [livenessProbe, readinessProbe].map(asked),
        args: args.filter((flag) => !GO_FLAGS.test(flag) && !STOCK_FLAGS.has(flag)).toSorted(),
        ports: (ports ?? []).filter(({ name }) => name !== "pprof"),
      },
      ...sidecars,
    ],
  };
}

/** What the Job runs is another program, with its definitions in a ConfigMap. */
function comparedJob({
  containers: [{ name, imagePullPolicy }],
  enableServiceLinks: _links,
  volumes: _volumes,
  ...pod
}) {
  return { ...pod, containers: [{ name, imagePullPolicy }] };
}
