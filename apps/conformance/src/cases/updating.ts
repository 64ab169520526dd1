import { at } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod } from "./objects.ts";

export const updatingCases: readonly ConformanceCase[] = inNamespace("update", {
  "replaces the object": async (t) => {
    const made = await t.create(t.path("configmaps"), configMap("one", { a: "1" }, { labels: { x: "y" } }));
    const answer = await t.client.put(t.path("configmaps", "one"), configMap("one", { b: "2" }));
    expectSuccess(answer, 200);
    expectMatch(answer.body, {
      metadata: { uid: String(at(made, "metadata.uid")), labels: ABSENT },
      data: { a: ABSENT, b: "2" },
    });
    expectMatch(at(answer.body, "metadata.resourceVersion") === at(made, "metadata.resourceVersion"), false);
  },
  "writes nothing if nothing changes": async (t) => {
    const made = await t.create(t.path("configmaps"), configMap("one", { a: "1" }));
    const answer = await t.client.put(t.path("configmaps", "one"), configMap("one", { a: "1" }));
    expectMatch(at(answer.body, "metadata.resourceVersion"), String(at(made, "metadata.resourceVersion")));
  },
  "refuses an older version": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    const answer = await t.client.put(t.path("configmaps", "one"), configMap("one", {}, { resourceVersion: "1" }));
    expectRefusal(answer, {
      code: 409,
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: "one", kind: "configmaps" },
    });
  },
  "refuses another uid": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    expectRefusal(await t.client.put(t.path("configmaps", "one"), configMap("one", {}, { uid: "other" })), {
      code: 409,
      reason: "Conflict",
      message: /Precondition failed: UID in precondition: other, UID in object meta: /,
    });
  },
  "refuses another name than that of the path": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    expectRefusal(await t.client.put(t.path("configmaps", "one"), configMap("two")), {
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (two) does not match the name on the URL (one)",
    });
  },
  "refuses to make a pod": async (t) => {
    expectRefusal(await t.client.put(t.path("pods", "one"), idlePod("one")), {
      code: 404,
      message: 'pods "one" not found',
    });
  },
  "makes a lease that is not there": async (t) => {
    const path = t.groupPath("coordination.k8s.io/v1", "leases", "one");
    const answer = await t.client.put(path, { metadata: { name: "one" }, spec: { holderIdentity: "me" } });
    expectSuccess(answer, 201);
  },
  "asks for a version where it matters": async (t) => {
    await t.create(t.path("services"), { metadata: { name: "one" }, spec: { ports: [{ port: 80 }] } });
    const answer = await t.client.put(t.path("services", "one"), {
      metadata: { name: "one" },
      spec: { ports: [{ port: 81 }] },
    });
    expectSuccess(answer, 200);
    const events = t.groupPath("coordination.k8s.io/v1", "leases");
    await t.create(events, { metadata: { name: "l" }, spec: { holderIdentity: "a" } });
    expectRefusal(await t.client.put(`${events}/l`, { metadata: { name: "l" }, spec: { holderIdentity: "b" } }), {
      code: 422,
      message: /metadata\.resourceVersion: Invalid value: 0(x0)?: must be specified for an update/,
    });
  },
  "keeps what the system sets": async (t) => {
    const made = await t.create(t.path("configmaps"), configMap("one"));
    const sent = configMap("one", { a: "b" }, { creationTimestamp: "2001-01-01T00:00:00Z", generation: 5 });
    const answer = await t.client.put(t.path("configmaps", "one"), sent);
    expectMatch(answer.body["metadata"], {
      creationTimestamp: String(at(made, "metadata.creationTimestamp")),
      generation: ABSENT,
    });
  },
  "refuses changes of a pod's spec": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.put(t.path("pods", "one"), idlePod("one", { hostname: "other" }));
    expectRefusal(answer, {
      code: 422,
      reason: "Invalid",
      message:
        /^Pod "one" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)/,
    });
  },
  "lets a pod have another image": async (t) => {
    const made = await t.create(t.path("pods"), idlePod("one"));
    const containers = [{ ...(at(made, "spec.containers.0") as object), image: "example/other" }];
    const answer = await t.client.put(t.path("pods", "one"), {
      ...made,
      spec: { ...(made["spec"] as object), containers },
    });
    expectSuccess(answer, 200);
    expectMatch(answer.body, { metadata: { generation: 2 }, spec: { containers: [{ image: "example/other" }] } });
  },
  "leaves the status alone": async (t) => {
    const made = await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.put(t.path("pods", "one"), { ...made, status: { phase: "Failed" } });
    expectMatch(at(answer.body, "status.phase"), "Pending");
  },
  "stores nothing in a dry run": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", { a: "1" }));
    const answer = await t.client.put(`${t.path("configmaps", "one")}?dryRun=All`, configMap("one", { a: "2" }));
    expectMatch(answer.body["data"], { a: "2" });
    expectMatch((await t.client.get(t.path("configmaps", "one"))).body["data"], { a: "1" });
  },
});

export const statusCases: readonly ConformanceCase[] = inNamespace("status", {
  "is all that its own path changes": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.patch(t.path("pods", "one") + "/status", "merge", {
      metadata: { labels: { a: "b" } },
      spec: { activeDeadlineSeconds: 5 },
      status: { phase: "Running", message: "hello" },
    });
    expectSuccess(answer, 200);
    expectMatch(answer.body, {
      metadata: { labels: { a: "b" } },
      spec: { activeDeadlineSeconds: ABSENT },
      status: { phase: "Running", message: "hello" },
    });
  },
  "can be read alone": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.get(`${t.path("pods", "one")}/status`);
    expectMatch(answer.body, { kind: "Pod", status: { phase: "Pending", qosClass: "BestEffort" } });
  },
  "notes its owner apart": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const path = `${t.path("pods", "one")}/status?fieldManager=keeper`;
    const answer = await t.client.patch(path, "merge", { status: { message: "hello" } });
    const managed = at(answer.body, "metadata.managedFields") as { manager: string }[];
    expectMatch(
      managed.find(({ manager }) => manager === "keeper"),
      { operation: "Update", subresource: "status", fieldsV1: { "f:status": { "f:message": {} } } },
    );
  },
});
