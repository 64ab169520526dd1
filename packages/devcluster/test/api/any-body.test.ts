import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionOf } from "@kindling/test-kit/api-connection";
import { isObject, type Json, type JsonObject } from "@kindling/test-kit/json";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevCluster } from "../../src/index.ts";

let cluster: DevCluster;
let client: ApiClient;

beforeAll(async () => {
  cluster = await DevCluster.start();
  client = new ApiClient(await connectionOf(cluster.kubeconfig()));
});

afterAll(async () => {
  client.close();
  await cluster.stop();
});

// Each run is a request; more of them find more, and take longer.
const RUNS = Number(process.env["KINDLING_FUZZ_RUNS"] ?? 40);
const SEED = Number(process.env["KINDLING_FUZZ_SEED"] ?? 1);

const CORE = "/api/v1/namespaces/default";

const OBJECTS: Readonly<Record<string, JsonObject>> = {
  [`${CORE}/pods`]: {
    metadata: { name: "pod", labels: { a: "b" }, ownerReferences: [] },
    spec: {
      schedulerName: "none",
      restartPolicy: "Never",
      securityContext: { runAsUser: 1 },
      tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      containers: [
        {
          name: "main",
          image: "x",
          args: ["a"],
          env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: "1" }, limits: { memory: "1Gi" } },
          volumeMounts: [{ name: "v", mountPath: "/v" }],
          livenessProbe: { httpGet: { port: 80 } },
        },
      ],
      volumes: [{ name: "v", projected: { sources: [{ configMap: { name: "c", items: [] } }] } }],
    },
  },
  [`${CORE}/services`]: { metadata: { name: "svc" }, spec: { selector: { a: "b" }, ports: [{ port: 80 }] } },
  [`${CORE}/configmaps`]: { metadata: { name: "cm" }, data: { a: "b" }, binaryData: { c: "AAAA" } },
  [`${CORE}/secrets`]: { metadata: { name: "secret" }, type: "Opaque", data: { a: "AAAA" } },
  [`${CORE}/persistentvolumeclaims`]: {
    metadata: { name: "claim" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  [`${CORE}/resourcequotas`]: { metadata: { name: "quota" }, spec: { hard: { "count/jobs.batch": "1" } } },
  "/apis/apps/v1/namespaces/default/deployments": {
    metadata: { name: "deployment" },
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "b" }] } },
    },
  },
  "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles": {
    metadata: { name: "role" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  },
  "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies": {
    metadata: { name: "policy" },
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] },
  },
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  },
  "/apis/authorization.k8s.io/v1/subjectaccessreviews": {
    spec: { user: "me", resourceAttributes: { verb: "get", resource: "pods" } },
  },
};

/** The place of a value, and what to put there; no mutation removes a value. */
interface Mutation {
  readonly place: number;
  readonly value: Json | undefined;
}

const odd = fc.oneof(
  fc.constantFrom<Json | undefined>(undefined, null, "", 0, -1, 1.5, 1e300, true, [], {}, [null], [{}], { "": null }),
  fc.constantFrom<Json>("a".repeat(300), "A_b", "../x", "ü", "1Gi", "-1", "$(A)", "%zz", "__proto__"),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as Json),
);
const mutations = fc.array(fc.record({ place: fc.nat(200), value: odd }), { minLength: 1, maxLength: 3 });

/** The object with values put at the places of the mutations, counted through the whole object. */
function mutated(object: JsonObject, all: readonly Mutation[]): JsonObject {
  const copy = structuredClone(object);
  for (const { place, value } of all) {
    const places = [...placesOf(copy)];
    const found = places[place % places.length];
    if (found === undefined) continue;
    const [parent, key] = found;
    if (value === undefined) Reflect.deleteProperty(parent, key);
    else Reflect.set(parent, key, structuredClone(value));
  }
  return copy;
}

function* placesOf(value: Json): Generator<readonly [parent: object, key: string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield [value, key];
    if (isObject(member) || Array.isArray(member)) yield* placesOf(member);
  }
}

/** The code of an answer, with what explains it. */
async function codeOf(method: string, path: string, body: unknown, type: string): Promise<[number, string]> {
  const answer = await client.request(method, path, body, { headers: { "Content-Type": type } });
  return [answer.status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`];
}

test.each(Object.keys(OBJECTS))(
  "no object makes the server fail that is created at %s",
  { timeout: 60_000 },
  async (path) => {
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        const body = mutated(OBJECTS[path] ?? {}, changes);
        const [code, why] = await codeOf("POST", `${path}?dryRun=All`, body, "application/json");
        expect(code, why).toBeLessThan(500);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  },
);

test("no patch makes the server fail", { timeout: 60_000 }, async () => {
  const path = `${CORE}/pods`;
  await client.post(path, OBJECTS[path]);
  const types = ["application/merge-patch+json", "application/strategic-merge-patch+json"];
  await fc.assert(
    fc.asyncProperty(mutations, fc.constantFrom(...types), async (changes, type) => {
      const body = mutated(OBJECTS[path] ?? {}, changes);
      const [code, why] = await codeOf("PATCH", `${path}/pod?dryRun=All`, body, type);
      // If an item has no merge key, a real server also reports an internal error.
      fc.pre(!why.includes("does not contain declared merge key"));
      expect(code, why).toBeLessThan(500);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  const operation = fc.record({
    op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "odd"),
    path: fc.constantFrom("", "/", "/spec", "/spec/containers/0", "/spec/containers/-", "/metadata/labels/a~1b", "x"),
    from: fc.constantFrom("", "/spec", "/spec/containers/0", "/nowhere"),
    value: odd,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 3 }), async (operations) => {
      const type = "application/json-patch+json";
      const [code, why] = await codeOf("PATCH", `${path}/pod?dryRun=All`, operations, type);
      expect(code, why).toBeLessThan(500);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test("no applied object makes the server fail", { timeout: 60_000 }, async () => {
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const document = { apiVersion: "apps/v1", kind: "Deployment", ...OBJECTS[path] };
  await fc.assert(
    fc.asyncProperty(mutations, async (changes) => {
      const target = `${path}/deployment?fieldManager=test&dryRun=All`;
      const [code, why] = await codeOf("PATCH", target, mutated(document, changes), "application/apply-patch+yaml");
      // The real server also answers 500 if values have other types.
      expect(code < 500 || why.includes("failed to create typed patch object"), why).toBe(true);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test("no text makes the server fail that is no object", { timeout: 60_000 }, async () => {
  const types = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "text/plain", ""];
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.constantFrom(...types), async (text, type) => {
      const [code, why] = await codeOf("POST", `${CORE}/configmaps`, text, type);
      expect([400, 404, 415, 422], why).toContain(code);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test("no query makes the server fail", { timeout: 60_000 }, async () => {
  const options = ["labelSelector", "fieldSelector", "limit", "continue", "resourceVersion", "resourceVersionMatch"];
  const query = fc.dictionary(fc.constantFrom(...options, "timeoutSeconds", "pretty"), fc.string({ unit: "binary" }));
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const text = new URLSearchParams(given).toString();
      const answer = await client.get(`${CORE}/pods?${text}`);
      // 504 is for versions of the future.
      expect([200, 400, 410, 422, 504], `${text}: ${answer.text}`).toContain(answer.status);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
