import { at, namesOf } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod } from "./objects.ts";

const UNKNOWN_FIELDS =
  '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","nope":1},"spec":{"schedulerName":"none","containers":[{"name":"a","image":"b","bar":2}],"foo":1}}';

export const creatingCases: readonly ConformanceCase[] = inNamespace("create", {
  "answers with what it stored": async (t) => {
    const answer = await t.client.post(t.path("configmaps"), configMap("one", { a: "b" }));
    expectSuccess(answer, 201);
    const stored = await t.client.get(t.path("configmaps", "one"));
    expectMatch(answer.text.trim(), stored.text.trim());
  },
  "fills in kind and version": async (t) => {
    const made = await t.create(t.path("configmaps"), { metadata: { name: "one" } });
    expectMatch(made, { kind: "ConfigMap", apiVersion: "v1" });
  },
  "makes a name from a prefix": async (t) => {
    const made = await t.create(t.path("configmaps"), { metadata: { generateName: "run-" } });
    expectMatch(made["metadata"], { name: /^run-[bcdfghjklmnpqrstvwxz2456789]{5}$/, generateName: "run-" });
  },
  "sets system fields itself": async (t) => {
    const made = await t.create(t.path("configmaps"), {
      metadata: {
        name: "one",
        uid: "mine",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        selfLink: "/x",
      },
    });
    expectMatch(made["metadata"], {
      uid: /^[0-9a-f-]{36}$/,
      creationTimestamp: /^20[2-9]/,
      deletionTimestamp: ABSENT,
    });
  },
  "notes who owns which fields": async (t) => {
    const made = await t.create(`${t.path("configmaps")}?fieldManager=someone`, configMap("one", { a: "b" }));
    expectMatch(at(made, "metadata.managedFields"), [
      {
        manager: "someone",
        operation: "Update",
        apiVersion: "v1",
        time: /Z$/,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:a": {} } },
      },
    ]);
  },
  "refuses a name that is taken": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("one")), {
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "one" already exists',
      details: { name: "one", kind: "configmaps" },
    });
  },
  "refuses an object without a name": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), { metadata: {} }), {
      code: 422,
      reason: "Invalid",
      message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      causes: ["FieldValueRequired metadata.name: Required value: name or generateName is required"],
    });
  },
  "refuses names that are no DNS names": async (t) => {
    const answer = await t.client.post(t.path("configmaps"), configMap("A_b"));
    expectRefusal(answer, {
      code: 422,
      message:
        /^ConfigMap "A_b" is invalid: metadata\.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of/,
    });
  },
  "refuses another namespace than that of the path": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("one", {}, { namespace: "other" })), {
      code: 400,
      reason: "BadRequest",
      message: "the namespace of the provided object does not match the namespace sent on the request",
    });
  },
  "refuses a namespace that is not there": async (t) => {
    expectRefusal(await t.client.post(`/api/v1/namespaces/${t.namespace}-not/configmaps`, configMap("one")), {
      code: 404,
      message: `namespaces "${t.namespace}-not" not found`,
      details: { name: `${t.namespace}-not`, kind: "namespaces" },
    });
  },
  "refuses a resourceVersion": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("one", {}, { resourceVersion: "3" })), {
      code: 500,
      message: "resourceVersion should not be set on objects to be created",
    });
  },
  "refuses another kind": async (t) => {
    expectRefusal(await t.client.post(t.path("pods"), configMap("one")), {
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a Pod: converting (v1.ConfigMap) to (core.Pod): unknown conversion',
    });
  },
  "refuses another version": async (t) => {
    expectRefusal(await t.client.post(t.path("pods"), { ...idlePod("one"), apiVersion: "v2" }), {
      code: 400,
      message: /no kind "Pod" is registered for version "v2"/,
    });
  },
  "refuses a text that is no JSON": async (t) => {
    const answer = await t.client.post(t.path("pods"), '{"kind":');
    expectRefusal(answer, { code: 400, reason: "BadRequest" });
    expectRefusal(await t.client.post(t.path("pods"), ""), { code: 400 });
  },
  "refuses values of another type": async (t) => {
    const expected: Readonly<Record<string, readonly [object, string]>> = {
      "a label that is a number": [
        idlePod("x", {}, { labels: { a: 1 } }),
        "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
      ],
      "an image that is a number": [
        idlePod("x", { containers: [{ name: "a", image: 3 }] }),
        "json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string",
      ],
      "containers that are no list": [
        idlePod("x", { containers: {} }),
        "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
      ],
      "a quantity that is none": [
        idlePod("x", { containers: [{ name: "a", image: "b", resources: { limits: { cpu: "abc" } } }] }),
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
    };
    for (const [what, [object, message]] of Object.entries(expected)) {
      const answer = await t.client.post(t.path("pods"), object);
      expectRefusal(answer, { code: 400, reason: "BadRequest" });
      expectMatch(answer.body["message"], `Pod in version "v1" cannot be handled as a Pod: ${message}`, what);
    }
  },
  "refuses unknown fields if asked to be strict": async (t) => {
    expectRefusal(await t.client.post(`${t.path("pods")}?fieldValidation=Strict`, UNKNOWN_FIELDS), {
      code: 400,
      reason: "BadRequest",
      message:
        'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "metadata.nope", unknown field "spec.containers[0].bar", unknown field "spec.foo"',
    });
  },
  "warns of unknown fields by default": async (t) => {
    const answer = await t.client.post(t.path("pods"), UNKNOWN_FIELDS);
    expectSuccess(answer, 201);
    const warnings = [
      'unknown field \\"metadata.nope\\"',
      'unknown field \\"spec.containers[0].bar\\"',
      'unknown field \\"spec.foo\\"',
    ];
    expectMatch(answer.headers["warning"], warnings.map((text) => `299 - "${text}"`).join(", "));
    expectMatch(answer.body, { spec: { foo: ABSENT } });
  },
  "ignores unknown fields if asked to": async (t) => {
    const answer = await t.client.post(`${t.path("pods")}?fieldValidation=Ignore`, UNKNOWN_FIELDS);
    expectSuccess(answer, 201);
    expectMatch(answer.headers["warning"], ABSENT);
  },
  "refuses a rule for unknown fields that it does not know": async (t) => {
    expectRefusal(await t.client.post(`${t.path("pods")}?fieldValidation=maybe`, idlePod("x")), {
      code: 422,
      reason: "Invalid",
      message: /fieldValidation: Unsupported value: "maybe": supported values: "", "Ignore", "Strict", "Warn"/,
    });
  },
  "stores nothing in a dry run": async (t) => {
    const answer = await t.client.post(`${t.path("configmaps")}?dryRun=All`, configMap("one"));
    expectSuccess(answer, 201);
    expectMatch(answer.body["metadata"], { uid: /./, resourceVersion: ABSENT });
    expectMatch(namesOf(await t.client.get(t.path("configmaps"))), ["kube-root-ca.crt"]);
  },
  "refuses another dry run than all": async (t) => {
    expectRefusal(await t.client.post(`${t.path("configmaps")}?dryRun=Some`, configMap("one")), {
      code: 422,
      message: 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    });
  },
  "refuses other forms": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), "a: b", { headers: { "Content-Type": "text/plain" } }), {
      code: 415,
      reason: "UnsupportedMediaType",
      message: /the body of the request was in an unknown format - accepted media types include: application\/json/,
    });
  },
  "lists what is wrong with labels, owners and finalizers": async (t) => {
    const answer = await t.client.post(
      t.path("configmaps"),
      configMap(
        "x",
        {},
        {
          labels: { "a b": "c", d: "-" },
          annotations: { "a b": "c" },
          ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }],
          finalizers: ["foo bar"],
        },
      ),
    );
    expectRefusal(answer, { code: 422, reason: "Invalid" });
    const causes = (at(answer.body, "details.causes") as { field: string }[]).map(({ field }) => field);
    expectMatch(
      [...new Set(causes)],
      [
        "metadata.labels",
        "metadata.annotations",
        "metadata.ownerReferences.apiVersion",
        "metadata.ownerReferences.kind",
        "metadata.ownerReferences.name",
        "metadata.ownerReferences.uid",
        "metadata.finalizers",
        "metadata.finalizers[0]",
      ],
    );
  },
  "lets an object have one controller only": async (t) => {
    const owner = (name: string) => ({ apiVersion: "v1", kind: "Pod", name, uid: name, controller: true });
    const object = configMap("x", {}, { ownerReferences: [owner("a"), owner("b")] });
    expectRefusal(await t.client.post(t.path("configmaps"), object), {
      code: 422,
      message: /Only one reference can have Controller set to true/,
    });
  },
});
