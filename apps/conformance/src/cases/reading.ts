import { at, itemsOf, namesOf } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod } from "./objects.ts";

const TABLE = { headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

export const readingCases: readonly ConformanceCase[] = inNamespace("get", {
  "gives an object with its system fields": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", { key: "value" }));
    const answer = await t.client.get(t.path("configmaps", "one"));
    expectSuccess(answer, 200);
    expectMatch(answer.headers["content-type"], "application/json");
    expectMatch(answer.body, {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "one",
        namespace: t.namespace,
        uid: /^[0-9a-f-]{36}$/,
        resourceVersion: /^\d+$/,
        creationTimestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
        managedFields: [{ manager: "conformance", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1" }],
      },
      data: { key: "value" },
    });
  },
  "says that there is no such object": async (t) => {
    expectRefusal(await t.client.get(t.path("pods", "nobody")), {
      code: 404,
      reason: "NotFound",
      message: 'pods "nobody" not found',
      details: { name: "nobody", kind: "pods" },
    });
  },
  "names the group of an object that is not there": async (t) => {
    expectRefusal(await t.client.get(t.groupPath("apps/v1", "deployments", "nobody")), {
      code: 404,
      message: 'deployments.apps "nobody" not found',
      details: { name: "nobody", group: "apps", kind: "deployments" },
    });
  },
  "gives an object as a table": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const { body } = await t.client.get(t.path("pods", "one"), TABLE);
    expectMatch(body, { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: /^\d+$/ } });
    const columns = (body["columnDefinitions"] as { name: string; priority: number }[]).map(
      ({ name, priority }) => `${name} ${priority}`,
    );
    expectMatch(columns, [
      "Name 0",
      "Ready 0",
      "Status 0",
      "Restarts 0",
      "Age 0",
      "IP 1",
      "Node 1",
      "Nominated Node 1",
      "Readiness Gates 1",
    ]);
    expectMatch(body["rows"], [
      {
        cells: ["one", "0/1", "Pending", "0", /^\d+s$/, "<none>", "<none>", "<none>", "<none>"],
        object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "one" } },
      },
    ]);
  },
  "gives an object's metadata alone": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", { key: "value" }));
    const { body } = await t.client.get(t.path("configmaps", "one"), { headers: { Accept: METADATA } });
    expectMatch(body, {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { name: "one" },
      data: ABSENT,
    });
  },
  "takes the first form that it knows": async (t) => {
    const accept = `application/json;as=Table;v=v99;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io`;
    const { body } = await t.client.get(t.path("pods"), { headers: { Accept: accept } });
    expectMatch(body, { kind: "Table" });
  },
  "says which forms it has": async (t) => {
    const answer = await t.client.get(t.path("pods"), { headers: { Accept: "text/html" } });
    expectRefusal(answer, {
      code: 406,
      reason: "NotAcceptable",
      message: /^406: Not Acceptable\n\nAvailable representations: application\/json/,
    });
  },
});

export const listCases: readonly ConformanceCase[] = inNamespace("list", {
  "gives objects in the order of their names": async (t) => {
    for (const name of ["b", "c", "a"]) await t.create(t.path("secrets"), { metadata: { name } });
    const answer = await t.client.get(t.path("secrets"));
    expectMatch(answer.body, { kind: "SecretList", apiVersion: "v1", metadata: { resourceVersion: /^\d+$/ } });
    expectMatch(namesOf(answer), ["a", "b", "c"]);
  },
  "does not repeat the kind of its items": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "a" } });
    expectMatch(itemsOf(await t.client.get(t.path("secrets"))), [{ kind: ABSENT, apiVersion: ABSENT }]);
  },
  "gives an empty list of what there is none": async (t) => {
    const answer = await t.client.get(t.path("pods"));
    expectMatch(answer.body, { kind: "PodList", items: [] });
  },
  "gives a list of metadata": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "a" }, stringData: { x: "y" } });
    const { body } = await t.client.get(t.path("secrets"), { headers: { Accept: METADATA_LIST } });
    expectMatch(body, {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      items: [{ kind: "PartialObjectMetadata", metadata: { name: "a" }, data: ABSENT }],
    });
  },
  "gives the objects of all namespaces": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "a", labels: { only: t.namespace } } });
    const answer = await t.client.get(`/api/v1/secrets?labelSelector=only%3D${t.namespace}`);
    expectMatch(namesOf(answer), ["a"]);
  },
  "gives pages": async (t) => {
    for (const name of ["a", "b", "c", "d", "e"]) await t.create(t.path("secrets"), { metadata: { name } });
    const first = await t.client.get(`${t.path("secrets")}?limit=2`);
    expectMatch(first.body, { metadata: { remainingItemCount: 3, continue: /./ } });
    expectMatch(namesOf(first), ["a", "b"]);
    const more = encodeURIComponent(String(at(first.body, "metadata.continue")));
    const rest = await t.client.get(`${t.path("secrets")}?limit=5&continue=${more}`);
    expectMatch(namesOf(rest), ["c", "d", "e"]);
    expectMatch(rest.body["metadata"], { continue: ABSENT, remainingItemCount: ABSENT });
    expectMatch(at(rest.body, "metadata.resourceVersion"), String(at(first.body, "metadata.resourceVersion")));
  },
  "goes on with the list as it was at its first page": async (t) => {
    for (const name of ["a", "b", "c"]) await t.create(t.path("secrets"), { metadata: { name } });
    const first = await t.client.get(`${t.path("secrets")}?limit=1`);
    await t.create(t.path("secrets"), { metadata: { name: "bb" } });
    await t.client.delete(t.path("secrets", "c"));
    const more = encodeURIComponent(String(at(first.body, "metadata.continue")));
    expectMatch(namesOf(await t.client.get(`${t.path("secrets")}?continue=${more}`)), ["b", "c"]);
  },
  "does not count what is left over under a selector": async (t) => {
    for (const name of ["a", "b"]) await t.create(t.path("secrets"), { metadata: { name, labels: { x: "y" } } });
    const { body } = await t.client.get(`${t.path("secrets")}?limit=1&labelSelector=x`);
    expectMatch(body["metadata"], { continue: /./, remainingItemCount: ABSENT });
  },
  "refuses a limit that is no number": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?limit=many`), {
      code: 400,
      reason: "BadRequest",
      message: 'strconv.ParseInt: parsing "many": invalid syntax',
    });
  },
  "refuses a continue token that it did not give": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?continue=nonsense`), {
      code: 400,
      reason: "BadRequest",
      message: /continue key is not valid/,
    });
  },
  "selects by labels": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "a", labels: { app: "x", tier: "1" } } });
    await t.create(t.path("secrets"), { metadata: { name: "b", labels: { app: "y" } } });
    await t.create(t.path("secrets"), { metadata: { name: "c" } });
    const expected: Readonly<Record<string, readonly string[]>> = {
      "app=x": ["a"],
      "app==y": ["b"],
      "app!=x": ["b", "c"],
      app: ["a", "b"],
      "!app": ["c"],
      "app in (x,y)": ["a", "b"],
      "app notin (x)": ["b", "c"],
      "app,tier!=1": ["b"],
      "app=": [],
      "": ["a", "b", "c"],
    };
    for (const [selector, names] of Object.entries(expected)) {
      const answer = await t.client.get(`${t.path("secrets")}?labelSelector=${encodeURIComponent(selector)}`);
      expectMatch(namesOf(answer), names, selector);
    }
  },
  "refuses label selectors that it cannot read": async (t) => {
    const expected: Readonly<Record<string, RegExp>> = {
      "a in": /unable to parse requirement: found '' expected: '\('/,
      "a==b=c": /found '=', expected: ',' or 'end of string'/,
      "a=b,": /found '', expected: identifier after ','/,
      _a: /unable to parse requirement: <nil>: Invalid value: "_a": name part must consist of alphanumeric/,
    };
    for (const [selector, message] of Object.entries(expected)) {
      const answer = await t.client.get(`${t.path("pods")}?labelSelector=${encodeURIComponent(selector)}`);
      expectRefusal(answer, { code: 400, reason: "BadRequest", message });
    }
  },
  "selects by fields": async (t) => {
    for (const name of ["a", "b"]) await t.create(t.path("pods"), idlePod(name));
    const expected: Readonly<Record<string, readonly string[]>> = {
      "metadata.name=a": ["a"],
      "metadata.name!=a": ["b"],
      "status.phase=Pending": ["a", "b"],
      "status.phase!=Pending": [],
      "spec.nodeName=,spec.schedulerName=none": ["a", "b"],
      "spec.restartPolicy=Always,metadata.name=b": ["b"],
    };
    for (const [selector, names] of Object.entries(expected)) {
      const answer = await t.client.get(`${t.path("pods")}?fieldSelector=${encodeURIComponent(selector)}`);
      expectMatch(namesOf(answer), names, selector);
    }
  },
  "refuses fields that it does not index": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?fieldSelector=spec.nope%3D1`), {
      code: 400,
      reason: "BadRequest",
      message: "field label not supported: spec.nope",
    });
  },
  "refuses a field selector that it cannot read": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?fieldSelector=foo`), {
      code: 400,
      message: "invalid selector: 'foo'; can't understand 'foo'",
    });
  },
  "gives the past as long as it is remembered": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "a" } });
    const then = String(at((await t.client.get(t.path("secrets"))).body, "metadata.resourceVersion"));
    await t.create(t.path("secrets"), { metadata: { name: "b" } });
    const now = String(at((await t.client.get(t.path("secrets"))).body, "metadata.resourceVersion"));
    const listOf = (version: string, match: string) =>
      t.client.get(`${t.path("secrets")}?resourceVersion=${version}&resourceVersionMatch=${match}`);
    expectMatch(namesOf(await listOf(then, "Exact")), ["a"]);
    // For a version not older than `then`, a server may return any of these: its cache may not have the second object yet.
    expectMatch(namesOf(await listOf(now, "NotOlderThan")), ["a", "b"]);
  },
  "refuses a version that is no number": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?resourceVersion=abc`), { code: 400, reason: "BadRequest" });
  },
  "does not know the future": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?resourceVersion=999999999999`), {
      code: 504,
      reason: "Timeout",
      message: /^Timeout: Too large resource version: 999999999999, current: \d+$/,
      details: { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }] },
    });
  },
});
