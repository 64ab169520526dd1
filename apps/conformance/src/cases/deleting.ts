import { sleep, systemClock } from "@kindling/outside";
import { at, type CaseContext, itemsOf, namesOf } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod, ownedBy } from "./objects.ts";

export const deletingCases: readonly ConformanceCase[] = inNamespace("delete", {
  "tells what it deleted": async (t) => {
    const made = await t.create(t.path("configmaps"), configMap("one"));
    const answer = await t.client.delete(t.path("configmaps", "one"));
    expectSuccess(answer, 200);
    expectMatch(answer.body, {
      kind: "Status",
      apiVersion: "v1",
      status: "Success",
      details: { name: "one", kind: "configmaps", uid: String(at(made, "metadata.uid")) },
    });
    expectRefusal(await t.client.get(t.path("configmaps", "one")), { code: 404 });
  },
  "gives a pod as it was": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.delete(t.path("pods", "one"));
    expectMatch(answer.body, { kind: "Pod", metadata: { name: "one" } });
  },
  "ends a pod that no node has at once": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    await t.client.delete(t.path("pods", "one"));
    expectRefusal(await t.client.get(t.path("pods", "one")), { code: 404 });
  },
  "finds no object that is not there": async (t) => {
    expectRefusal(await t.client.delete(t.path("pods", "one")), { code: 404, message: 'pods "one" not found' });
  },
  "waits for finalizers": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", { a: "b" }, { finalizers: ["example.com/wait"] }));
    const answer = await t.client.delete(t.path("configmaps", "one"));
    expectSuccess(answer, 200);
    expectMatch(answer.body, {
      kind: "ConfigMap",
      metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: 0, finalizers: ["example.com/wait"] },
    });
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
    expectRefusal(await t.client.get(t.path("configmaps", "one")), { code: 404 });
  },
  "can be asked for again while it waits": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["example.com/wait"] }));
    const first = await t.client.delete(t.path("configmaps", "one"));
    // Times have a resolution of seconds.
    await sleep(systemClock, 1100);
    const second = await t.client.delete(t.path("configmaps", "one"));
    expectMatch(at(second.body, "metadata.deletionTimestamp"), String(at(first.body, "metadata.deletionTimestamp")));
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
  },
  "lets no finalizer come late": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["example.com/wait"] }));
    await t.client.delete(t.path("configmaps", "one"));
    const finalizers = ["example.com/wait", "example.com/late"];
    expectRefusal(await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers } }), {
      code: 422,
      message:
        /metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example\.com\/late"\}/,
    });
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
  },
  "checks preconditions": async (t) => {
    const made = await t.create(t.path("configmaps"), configMap("one"));
    expectRefusal(await t.client.delete(t.path("configmaps", "one"), { preconditions: { uid: "other" } }), {
      code: 409,
      reason: "Conflict",
      message:
        /the UID in the precondition \(other\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated/,
    });
    expectRefusal(await t.client.delete(t.path("configmaps", "one"), { preconditions: { resourceVersion: "1" } }), {
      code: 409,
      message: /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)/,
    });
    const preconditions = { uid: at(made, "metadata.uid"), resourceVersion: at(made, "metadata.resourceVersion") };
    expectSuccess(await t.client.delete(t.path("configmaps", "one"), { preconditions }), 200);
  },
  "deletes nothing in a dry run": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    expectSuccess(await t.client.delete(`${t.path("configmaps", "one")}?dryRun=All`), 200);
    expectSuccess(await t.client.get(t.path("configmaps", "one")), 200);
  },
  "refuses a way to go on that it does not know": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    expectRefusal(await t.client.delete(t.path("configmaps", "one"), { propagationPolicy: "Sideways" }), {
      code: 422,
      reason: "Invalid",
      message:
        /propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"/,
    });
  },
  "takes its options from the path too": async (t) => {
    const owner = await t.create(t.path("configmaps"), configMap("owner"));
    await t.create(t.path("secrets"), { metadata: { name: "owned", ...ownedBy(owner) } });
    await collectorHasSeen(t);
    const answer = await t.client.delete(`${t.path("configmaps", "owner")}?propagationPolicy=Foreground`);
    expectMatch(answer.body["metadata"], { finalizers: ["foregroundDeletion"] });
    await t.untilGone(t.path("configmaps", "owner"));
    expectRefusal(await t.client.get(t.path("secrets", "owned")), { code: 404 });
  },
});

export const deletingCollectionCases: readonly ConformanceCase[] = inNamespace("delete collection", {
  "deletes what is selected": async (t) => {
    for (const name of ["a", "b", "c"])
      await t.create(t.path("pods"), idlePod(name, {}, { labels: { app: name === "c" ? "y" : "x" } }));
    const answer = await t.client.delete(`${t.path("pods")}?labelSelector=app%3Dx`);
    expectSuccess(answer, 200);
    expectMatch(answer.body, { kind: "PodList" });
    expectMatch(namesOf(answer), ["a", "b"]);
    expectMatch(namesOf(await t.client.get(t.path("pods"))), ["c"]);
  },
  "deletes by fields": async (t) => {
    for (const name of ["a", "b"]) await t.create(t.path("pods"), idlePod(name));
    await t.client.delete(`${t.path("pods")}?fieldSelector=metadata.name%3Da`);
    expectMatch(namesOf(await t.client.get(t.path("pods"))), ["b"]);
  },
  "takes options in its body, as the driver's client sends them": async (t) => {
    const labels = { "spark-app-selector": "spark-1", "spark-role": "executor" };
    for (const name of ["exec-1", "exec-2"]) await t.create(t.path("pods"), idlePod(name, {}, { labels }));
    const selector = encodeURIComponent("spark-app-selector=spark-1,spark-role=executor");
    const answer = await t.client.delete(`${t.path("pods")}?labelSelector=${selector}`, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      gracePeriodSeconds: 0,
      propagationPolicy: "Background",
    });
    expectSuccess(answer, 200);
    expectMatch(namesOf(await t.client.get(t.path("pods"))), []);
  },
  "deletes nothing if nothing is selected": async (t) => {
    const answer = await t.client.delete(`${t.path("services")}?labelSelector=app%3Dnone`);
    expectSuccess(answer, 200);
    expectMatch(answer.body, { kind: "ServiceList", items: [] });
  },
});

// The real collector learns about objects through its own watches. It learns about the object that it collects here after the
// others.
async function collectorHasSeen(t: CaseContext): Promise<void> {
  const nobody = { metadata: { name: "nobody", uid: "00000000-0000-0000-0000-000000000000" } };
  await t.create(t.path("configmaps"), configMap("mark", {}, ownedBy(nobody)));
  await t.create(t.path("secrets"), { metadata: { name: "mark", ...ownedBy(nobody) } });
  await t.untilGone(t.path("configmaps", "mark"));
  await t.untilGone(t.path("secrets", "mark"));
}

export const collectingCases: readonly ConformanceCase[] = inNamespace("garbage collection", {
  "deletes what a deleted object owned": async (t) => {
    const owner = await t.create(t.path("configmaps"), configMap("owner"));
    await t.create(t.path("secrets"), { metadata: { name: "owned", ...ownedBy(owner) } });
    await t.create(t.path("pods"), idlePod("pod", {}, ownedBy(owner)));
    await t.client.delete(t.path("configmaps", "owner"));
    await t.untilGone(t.path("secrets", "owned"));
    await t.untilGone(t.path("pods", "pod"));
  },
  "goes on through the owned": async (t) => {
    const owner = await t.create(t.path("configmaps"), configMap("a"));
    const owned = await t.create(t.path("configmaps"), configMap("b", {}, ownedBy(owner)));
    await t.create(t.path("configmaps"), configMap("c", {}, ownedBy(owned)));
    await t.client.delete(t.path("configmaps", "a"));
    await t.untilGone(t.path("configmaps", "c"));
  },
  "leaves orphans if asked to": async (t) => {
    const owner = await t.create(t.path("configmaps"), configMap("owner"));
    await t.create(t.path("secrets"), { metadata: { name: "owned", ...ownedBy(owner) } });
    await collectorHasSeen(t);
    await t.client.delete(t.path("configmaps", "owner"), { propagationPolicy: "Orphan" });
    await t.untilGone(t.path("configmaps", "owner"));
    const orphan = await t.client.get(t.path("secrets", "owned"));
    expectMatch(orphan.body["metadata"], { ownerReferences: ABSENT });
  },
  "ends the owner after the owned if asked to": async (t) => {
    const owner = await t.create(t.path("configmaps"), configMap("owner"));
    const blocking = ownedBy(owner, { blockOwnerDeletion: true });
    await t.create(t.path("configmaps"), configMap("owned", {}, { ...blocking, finalizers: ["example.com/wait"] }));
    await collectorHasSeen(t);
    await t.client.delete(t.path("configmaps", "owner"), { propagationPolicy: "Foreground" });
    await t.until(
      async () => await t.client.get(t.path("configmaps", "owned")),
      ({ body }) => at(body, "metadata.deletionTimestamp") !== undefined,
      "the deletion of the owned",
    );
    const waiting = await t.client.get(t.path("configmaps", "owner"));
    expectMatch(waiting.body["metadata"], { deletionTimestamp: /Z$/, finalizers: ["foregroundDeletion"] });
    await t.client.patch(t.path("configmaps", "owned"), "merge", { metadata: { finalizers: null } });
    await t.untilGone(t.path("configmaps", "owner"));
  },
  "deletes what says to be owned by what is not there": async (t) => {
    const owner = { metadata: { name: "nobody", uid: "00000000-0000-0000-0000-000000000000" } };
    await t.create(t.path("secrets"), { metadata: { name: "owned", ...ownedBy(owner) } });
    await t.untilGone(t.path("secrets", "owned"));
  },
  "keeps what has another owner": async (t) => {
    const [a, b] = [
      await t.create(t.path("configmaps"), configMap("a")),
      await t.create(t.path("configmaps"), configMap("b")),
    ];
    const ownerReferences = [a, b].flatMap((owner) => ownedBy(owner)["ownerReferences"] ?? []);
    await t.create(t.path("secrets"), { metadata: { name: "owned", ownerReferences } });
    await t.client.delete(t.path("configmaps", "a"));
    const kept = await t.until(
      async () => await t.client.get(t.path("secrets", "owned")),
      ({ body }) => (at(body, "metadata.ownerReferences") as unknown[] | undefined)?.length === 1,
      "the first owner to be forgotten",
    );
    expectMatch(at(kept.body, "metadata.ownerReferences"), [{ name: "b" }]);
    await t.client.delete(t.path("configmaps", "b"));
    await t.untilGone(t.path("secrets", "owned"));
  },
});

export const namespaceCases: readonly ConformanceCase[] = inNamespace("namespace", {
  "comes with an account and the cluster's certificate": async (t) => {
    expectMatch(namesOf(await t.client.get(t.path("serviceaccounts"))), ["default"]);
    const { body } = await t.client.get(t.path("configmaps", "kube-root-ca.crt"));
    expectMatch(body["data"], { "ca.crt": /^-----BEGIN CERTIFICATE-----/ });
  },
  "carries its name as a label": async (t) => {
    const { body } = await t.client.get(`/api/v1/namespaces/${t.namespace}`);
    expectMatch(body, {
      metadata: { labels: { "kubernetes.io/metadata.name": t.namespace } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  },
  "goes away with all that is in it": async (t) => {
    await t.create(t.path("configmaps"), configMap("one"));
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.delete(`/api/v1/namespaces/${t.namespace}`);
    expectMatch(answer.body, { kind: "Namespace", status: { phase: "Terminating" } });
    await t.untilGone(`/api/v1/namespaces/${t.namespace}`);
    expectMatch(itemsOf(await t.client.get(t.path("configmaps"))), []);
  },
  "takes nothing new in while it goes away": async (t) => {
    const path = t.path("configmaps", "one");
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["example.com/wait"] }));
    await t.client.delete(`/api/v1/namespaces/${t.namespace}`);
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("two")), {
      code: 403,
      reason: "Forbidden",
      message: `configmaps "two" is forbidden: unable to create new content in namespace ${t.namespace} because it is being terminated`,
      details: { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] },
    });
    await t.client.patch(path, "merge", { metadata: { finalizers: null } });
  },
  "cannot be deleted if the cluster needs it": async (t) => {
    expectRefusal(await t.client.delete("/api/v1/namespaces/default"), {
      code: 403,
      reason: "Forbidden",
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
  },
  "has a name that is a DNS label": async (t) => {
    expectRefusal(await t.client.post("/api/v1/namespaces?dryRun=All", { metadata: { name: "a.b" } }), {
      code: 422,
      message: /^Namespace "a\.b" is invalid: metadata\.name: Invalid value: "a\.b": must not contain dots$/,
    });
  },
});
