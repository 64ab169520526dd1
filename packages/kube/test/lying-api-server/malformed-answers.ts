/** A pod as an API server returns it. */
export const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "default", uid: "uid-of-p", resourceVersion: "7", labels: { a: "b" } },
};

export const LIST = { apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "7" }, items: [POD] };

const meta = (changes: object): object => ({ ...POD, metadata: { ...POD.metadata, ...changes } });

/** Values that are never an object of any kind. */
const NO_OBJECTS: readonly unknown[] = [null, 5, true, "text", [], [POD], {}];

/** Values that are not the pod `p` of namespace `default`. */
const NO_PODS: readonly unknown[] = [
  { ...POD, metadata: null },
  { ...POD, metadata: [] },
  { ...POD, metadata: "p" },
  { ...POD, kind: "Node" },
  { ...POD, apiVersion: "v2" },
  meta({ name: undefined }),
  meta({ name: "" }),
  meta({ name: 5 }),
  meta({ uid: undefined }),
  meta({ uid: "" }),
  meta({ uid: ["uid"] }),
  meta({ namespace: "kube-system" }),
  meta({ labels: "a=b" }),
  meta({ labels: { a: 1 } }),
  meta({ labels: ["a"] }),
  meta({ annotations: { a: null } }),
  meta({ ownerReferences: {} }),
  meta({ ownerReferences: [null] }),
  meta({ ownerReferences: [{ name: "x" }] }),
];

const NO_VERSIONS: readonly unknown[] = [undefined, "", 7, null, {}, "7".repeat(10_000)];

export const MALFORMED_OBJECTS: readonly string[] = [
  "",
  "<html>Please sign in</html>",
  '{"kind":"Pod"',
  ...[...NO_OBJECTS, ...NO_PODS, meta({ name: "q" }), { ...POD, kind: undefined }].map((one) => JSON.stringify(one)),
  JSON.stringify({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 200 }),
];

const EVENTS: readonly unknown[] = [
  ...NO_OBJECTS,
  { type: "ADDED" },
  { object: POD },
  ...[5, null, "RENAMED", "added", ["ADDED"]].map((type) => ({ type, object: POD })),
  ...[...NO_OBJECTS, ...NO_PODS].map((object) => ({ type: "MODIFIED", object })),
  ...[...NO_OBJECTS, ...NO_PODS].map((object) => ({ type: "DELETED", object })),
  ...NO_VERSIONS.map((resourceVersion) => ({ type: "ADDED", object: meta({ resourceVersion }) })),
  ...NO_VERSIONS.map((resourceVersion) => ({
    type: "BOOKMARK",
    object: { kind: "Pod", metadata: { resourceVersion } },
  })),
  ...NO_OBJECTS.map((object) => ({ type: "BOOKMARK", object })),
  ...[...NO_OBJECTS, POD].map((object) => ({ type: "ERROR", object })),
  ...["410", null, 200, 1e9, 4.5].map((code) => ({ type: "ERROR", object: { kind: "Status", code } })),
];

export const MALFORMED_EVENTS: readonly string[] = ["{]", "<html>", ...EVENTS.map((event) => JSON.stringify(event))];

const LISTS: readonly unknown[] = [
  ...NO_OBJECTS,
  POD,
  { ...LIST, kind: undefined },
  { ...LIST, kind: "NodeList" },
  { ...LIST, kind: "Pod" },
  { ...LIST, kind: ["PodList"] },
  { ...LIST, apiVersion: "v2" },
  { ...LIST, apiVersion: undefined },
  { ...LIST, items: undefined },
  { ...LIST, items: {} },
  { ...LIST, items: "" },
  { ...LIST, metadata: undefined },
  { ...LIST, metadata: null },
  { ...LIST, metadata: [], items: null },
  { ...LIST, metadata: {}, items: null },
  ...NO_VERSIONS.map((resourceVersion) => ({ ...LIST, metadata: { resourceVersion } })),
  ...[5, true, {}, "t".repeat(10_000)].map((token) => ({ ...LIST, metadata: { ...LIST.metadata, continue: token } })),
  ...[...NO_OBJECTS, ...NO_PODS].map((item) => ({ ...LIST, items: [POD, item] })),
  { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
];

export const MALFORMED_LISTS: readonly string[] = [
  "",
  "<html>Please sign in</html>",
  JSON.stringify(LIST).slice(0, -1),
  ...LISTS.map((list) => JSON.stringify(list)),
];
