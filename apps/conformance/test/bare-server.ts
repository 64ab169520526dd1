import {
  type AdmissionPlugin,
  type Api,
  ApiServer,
  createApi,
  createObject,
  defineResource,
  metaTypes,
  parseSchema,
  structOf,
} from "@kindling/api-server";
import type { Connection } from "@kindling/test-kit/api-connection";

const schema = parseSchema([
  metaTypes,
  `
package io.k8s.api.core.v1
ConfigMap
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  immutable?: *bool #4
  data?: {}string #2
  binaryData?: {}bytes #3
Secret
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  immutable?: *bool #5
  data?: {}bytes #2
  stringData?: {}string #4
  type?: string #3 = "Opaque"
`,
]);

const serviceAccounts = defineResource({ kind: "ServiceAccount" });
const configMaps = defineResource({ kind: "ConfigMap", shortNames: ["cm"] }, structOf(schema, "ConfigMap"));

/** A server with some of the simplest resources, and without the other parts of a cluster. */
export async function bareServer(): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const resources = [
    defineResource({ kind: "Namespace", namespaced: false }),
    serviceAccounts,
    configMaps,
    defineResource(
      { kind: "Secret", rules: { selectableFields: ({ type }) => ({ type: typeof type === "string" ? type : "" }) } },
      structOf(schema, "Secret"),
    ),
    defineResource({ kind: "Pod", status: true }),
    defineResource({
      group: "coordination.k8s.io",
      kind: "Lease",
      rules: { createOnUpdate: true, unconditionalUpdate: false },
    }),
  ];
  // A short history, so that cases can see what happens at its end.
  const api: Api = createApi({
    resources,
    history: { events: 300 },
    admission: [{ validate: (request) => furnish(api, request) }],
  });
  const server = new ApiServer({ api });
  const port = await server.listen();
  const connection = { url: new URL(`http://127.0.0.1:${port}`) };
  return { connection, close: async () => await server.close() };
}

// The objects that the cases expect in each namespace.
function furnish(
  api: Api,
  { type, operation, object: namespace, user }: Parameters<NonNullable<AdmissionPlugin["validate"]>>[0],
): void {
  if (type.plural !== "namespaces" || operation !== "create") return;
  const place = namespace?.metadata.name;
  const context = { user, manager: "bare-server", dryRun: false, subresource: "" };
  for (const [own, ownName] of [
    [serviceAccounts, "default"],
    [configMaps, "kube-root-ca.crt"],
  ] as const) {
    const object = own.decode({ metadata: { name: ownName } }, { defaults: true });
    createObject(api, own, place, { object }, context);
  }
}

const SUBJECTS = new Set([
  "get",
  "list",
  "create",
  "update",
  "JSON patch",
  "merge patch",
  "apply",
  "delete",
  "delete collection",
  "watch",
  "watch over a WebSocket",
  "history",
]);

/** Cases that need Kubernetes' own kinds: their fields, columns and rules. */
const OF_OWN_KINDS = new Set([
  "get: names the group of an object that is not there",
  "get: gives an object as a table",
  "list: selects by fields",
  "create: refuses a namespace that is not there",
  "create: refuses another kind",
  "create: refuses another version",
  "create: refuses values of another type",
  "create: refuses unknown fields if asked to be strict",
  "create: warns of unknown fields by default",
  "update: asks for a version where it matters",
  "update: refuses changes of a pod's spec",
  "update: lets a pod have another image",
  "update: leaves the status alone",
  "merge patch: refuses unknown fields if asked to be strict",
  "apply: merges lists by their keys",
  "apply: applies the status apart",
  "delete: gives a pod as it was",
  "delete: takes its options from the path too",
  "delete collection: deletes nothing if nothing is selected",
  "watch: gives tables if asked to",
  "watch over a WebSocket: gives one event a frame",
]);

/** Whether a case is about the server's behaviour for any resource. */
export function needsNoCluster(name: string): boolean {
  return SUBJECTS.has(name.slice(0, name.indexOf(": "))) && !OF_OWN_KINDS.has(name);
}
