import type { KindlingError } from "@kindling/core-spec";
import type { ConfigMap } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { caught } from "../fixtures/caught.ts";
import { StubCluster, type Fault, type SeenRequest } from "../fixtures/stub-cluster.ts";
import { impatientClient, submitTo, type SubmitCall } from "../fixtures/submission.ts";

const CALL: SubmitCall = { submissionId: "nightly" };

const isConfigMap = ({ path }: SeenRequest): boolean => path.includes("/configmaps");

/** The ConfigMap is immutable, and differs in its times from call to call. */
const refused: Fault = { kind: "status", status: 422 };

test("an object that a call with the same id makes meanwhile is as good as one's own", async () => {
  const cluster = await StubCluster.start();
  const { application } = await submitTo(cluster, CALL);
  let looked = false;
  cluster.fault = (request) => {
    if (!isConfigMap(request)) return undefined;
    if (request.method === "PATCH") return refused;
    if (looked) return undefined;
    looked = true;
    return { kind: "status", status: 404 };
  };
  const second = await submitTo(cluster, CALL);
  expect(second).toMatchObject({ existed: true, application: { submissionId: application.submissionId } });
});

test("the one that made the pod keeps it when another has made the rest", async () => {
  const [elsewhere, cluster] = await Promise.all([StubCluster.start(), StubCluster.start()]);
  await submitTo(elsewhere, CALL);
  const [configMap] = elsewhere.objects<ConfigMap>("ConfigMap");
  cluster.onPod = ({ metadata: { name = "", uid = "" } = {} }) => {
    const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }];
    cluster.put({ ...configMap, metadata: { ...configMap?.metadata, ownerReferences } });
  };
  cluster.fault = (request) => (isConfigMap(request) && request.method === "PATCH" ? refused : undefined);
  const { existed } = await submitTo(cluster, CALL);
  expect(existed).toBe(false);
  expect(cluster.objects("Pod")).toHaveLength(1);
});

test("a refusal of what nobody else has made is one", async () => {
  const cluster = await StubCluster.start();
  cluster.fault = (request) => (isConfigMap(request) && request.method === "PATCH" ? refused : undefined);
  const error: KindlingError = await caught(submitTo(cluster, { ...CALL, client: await impatientClient(cluster) }));
  expect(error.code).toBe("OBJECT_INVALID");
  expect(cluster.contents).toEqual([]);
});
