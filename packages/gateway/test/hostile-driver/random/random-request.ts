import { isObject, type Json, type JsonObject } from "@kindling/kube-objects";
import { parseJson } from "@kindling/api-server";
import type { DriverRequest } from "@kindling/recordings";
import type { Random } from "@kindling/test-kit/random";
import { changedJson } from "./random-json.ts";

/** The parts of random requests. */
export interface Material {
  /** Recorded requests of real drivers, adapted to this driver. */
  readonly recorded: readonly DriverRequest[];
  readonly namespace: string;
  /** The names of the driver and its objects. */
  readonly own: readonly string[];
  /** Names, uids and application ids of another driver. */
  readonly others: readonly string[];
}

/** A request as it is sent. */
export interface RandomRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string | undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const RESOURCES = [
  ...["pods", "configmaps", "persistentvolumeclaims", "services", "secrets", "events", "serviceaccounts"],
  ...["pods/{name}/log", "pods/{name}/resize", "pods/{name}/eviction", "pods/{name}/binding", "pods/{name}/exec"],
] as const;
const SETS = ["statefulsets", "deployments", "replicasets", "daemonsets"] as const;
const PATCHES = ["json-patch", "merge-patch", "strategic-merge-patch", "apply-patch"] as const;

/** A real driver's request with changes. */
export function randomRequest(random: Random, material: Material): RandomRequest {
  if (random.chance(0.2)) return randomPatch(random, material);
  if (random.chance(0.25)) return madeUp(random, material);
  return changedRecording(random, material);
}

function changedRecording(random: Random, material: Material): RandomRequest {
  const recorded = random.pick(material.recorded);
  let body: Json = recordedBody(recorded);
  let { method, path, query } = recorded;
  for (let count = random.below(4); count > 0; count--) {
    const kind = random.below(10);
    if (kind < 6 && body !== null) body = changedJson(random, body, namesOf(material));
    else if (kind === 6) path = exchanged(random, path, material);
    else if (kind === 7) query = randomQuery(random, material, query);
    else if (kind === 8) method = random.pick(METHODS);
    else path = `${path}/${random.pick(namesOf(material))}`;
  }
  const { watch: _watch, ...asked } = query;
  return { method, path: withQuery(path, asked), type: recorded.type ?? undefined, body: textOf(random, body) };
}

/** An invented request: any method, resource and name. */
function madeUp(random: Random, material: Material): RandomRequest {
  const namespace = random.chance(0.9) ? material.namespace : random.pick(["elsewhere", "kube-system", "default"]);
  const name = random.pick(namesOf(material));
  const isSet = random.chance(0.3);
  const base = isSet ? `/apis/apps/v1/namespaces/${namespace}` : `/api/v1/namespaces/${namespace}`;
  const resource: string = random.pick<string>(isSet ? SETS : RESOURCES);
  const part = resource.includes("{name}")
    ? resource.replace("{name}", name)
    : `${resource}${random.chance(0.7) ? `/${name}` : ""}${isSet && random.chance(0.4) ? "/scale" : ""}`;
  const body = random.chance(0.5)
    ? recordedBody(random.pick(material.recorded))
    : { spec: { replicas: random.below(50) } };
  return {
    method: random.pick(METHODS),
    path: withQuery(`${base}/${part}`, random.chance(0.5) ? {} : randomQuery(random, material, {})),
    type: "application/json",
    body: textOf(random, changedJson(random, body, namesOf(material))),
  };
}

function randomPatch(random: Random, material: Material): RandomRequest {
  const name = encodeURIComponent(random.pick(namesOf(material)));
  const kind = random.pick(PATCHES);
  const body: Json =
    kind === "json-patch"
      ? Array.from({ length: 1 + random.below(6) }, () => randomOperation(random, material))
      : changedJson(random, { metadata: { labels: { a: "b" }, annotations: { c: "d" } } }, namesOf(material));
  return {
    method: "PATCH",
    path: `/api/v1/namespaces/${material.namespace}/pods/${name}`,
    type: `application/${kind}+${kind === "apply-patch" ? "yaml" : "json"}`,
    body: textOf(random, body),
  };
}

function randomOperation(random: Random, material: Material): JsonObject {
  const paths = [
    ...["", "/metadata", "/metadata/labels", "/metadata/labels/a", "/metadata/annotations", "/spec", "/status"],
    ...["/metadata/annotations/gateway.kindling~1uid", "/metadata/ownerReferences/0/uid", "/metadata/finalizers/-"],
    ...["/metadata/labels/spark-app-selector", "/spec/containers/0/image", "/metadata/labels/spark-role"],
  ];
  return {
    op: random.pick(["add", "remove", "replace", "move", "copy", "test"]),
    path: random.pick(paths),
    from: random.pick(paths),
    value: random.chance(0.5) ? random.pick(namesOf(material)) : { a: random.pick(namesOf(material)) },
  };
}

function randomQuery(
  random: Random,
  { own, others }: Material,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const name = random.pick([...own, ...others]);
  const [key, value] = random.pick([
    ["labelSelector", `spark-app-selector=${name}`],
    ["labelSelector", `spark-app-selector in (${others.join(",")})`],
    ["labelSelector", "spark-role!=nobody"],
    ["labelSelector", `spark-app-selector=${name},spark-role=executor`],
    ["labelSelector", "(((,"],
    ["fieldSelector", `metadata.name=${name}`],
    ["fieldSelector", "status.phase!=Unknown"],
    ["resourceVersion", String(random.below(10_000))],
    ["continue", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"],
    ["limit", String(random.below(3))],
    ["dryRun", "All"],
    ["fieldManager", name],
    ["propagationPolicy", random.pick(["Orphan", "Foreground", "Background"])],
    ["gracePeriodSeconds", String(random.below(3) - 1)],
  ] as const);
  return { ...query, [key]: value };
}

/** The path, with one of the driver's own names replaced by another driver's. */
function exchanged(random: Random, path: string, { own, others }: Material): string {
  const found = own.filter((name) => path.includes(name));
  return found.length === 0 ? path : path.replaceAll(random.pick(found), random.pick(others));
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  const escaped = path.replaceAll(/[^\w./~%-]/g, (sign) =>
    encodeURIComponent(/[\ud800-\udfff]/.test(sign) ? "x" : sign),
  );
  return text === "" ? escaped : `${escaped}?${text}`;
}

function recordedBody({ body }: DriverRequest): Json {
  return body === null ? null : parseJson(JSON.stringify(body));
}

/** The body as text, sometimes cut off. */
function textOf(random: Random, body: Json): string | undefined {
  if (body === null) return undefined;
  const text = isObject(body) || Array.isArray(body) ? JSON.stringify(body) : String(body);
  return random.chance(0.03) ? text.slice(0, random.below(text.length)) : text;
}

function namesOf({ own, others }: Material): string[] {
  return [...own, ...others, ...others];
}
