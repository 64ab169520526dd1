import { DELETE_PODS, grant, makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { expect, test } from "vitest";
import { driverPod, executorPod, NAMESPACE } from "../support/recording.ts";
import { bearer, readerToken, type TestRecorder, testRecorder } from "../support/recorder-server.ts";

const AUDIENCE = "kindling-recorder";

async function post({ uri }: TestRecorder, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(new URL("api/v1/pods/ends", uri), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

test("who may delete the pods of a namespace learns when their ends are recorded, and nobody else does", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const { cluster } = recorder;
  const gateway = { namespace: "default", name: "gateway" };
  await makeAccount(cluster, gateway);
  await grant(cluster, gateway, [DELETE_PODS], NAMESPACE);
  const own = bearer(tokenOf(cluster, gateway, [AUDIENCE]));
  await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.end(executor, 0);
  const { namespace, name, uid } = executor.metadata ?? {};
  const pods = [{ namespace, name, uid }];

  expect(await post(recorder, { pods }, own)).toEqual({
    status: 200,
    text: JSON.stringify({ pods: [{ uid, end: "recorded" }] }),
  });
  const elsewhere = { pods: [...pods, { namespace: "elsewhere", name: "a", uid: "b" }] };
  expect(await post(recorder, elsewhere, own)).toMatchObject({ status: 403 });
  const reader = bearer(await readerToken(cluster, "reader", { of: undefined }));
  expect(await post(recorder, { pods }, reader)).toMatchObject({ status: 403 });
  const foreign = bearer(tokenOf(cluster, gateway, ["kindling-staging"]));
  for (const headers of [{}, foreign]) expect(await post(recorder, { pods }, headers)).toMatchObject({ status: 401 });
});

test("who does not wait for all of them learns of those that are recorded, and which ones to ask about again", async () => {
  const recorder = await testRecorder();
  const { cluster } = recorder;
  await cluster.createPod(driverPod("daily").build());
  const [ended, running] = [
    await cluster.createPod(executorPod(1, "daily").build()),
    await cluster.createPod(executorPod(2, "daily").build()),
  ];
  cluster.end(ended, 0);
  const pods = [ended, running].map(({ metadata }) => ({
    ...{ namespace: metadata?.namespace, name: metadata?.name, uid: metadata?.uid },
  }));
  const ask = async (body: object): Promise<unknown> => JSON.parse((await post(recorder, body)).text);
  const ends = (last: string): object => ({ pods: [{ end: "recorded" }, { end: last }] });
  expect(await ask({ pods, waitFor: "some" })).toMatchObject(ends("open"));
  expect(await ask({ pods })).toMatchObject(ends("unread"));
});

test.each([
  ["with another way to wait", { pods: [], waitFor: "none" }],
  ["without pods", {}],
  ["with a pod without a uid", { pods: [{ namespace: "a", name: "b" }] }],
  ["with too many pods", { pods: Array.from({ length: 501 }, () => ({ namespace: "a", name: "b", uid: "c" })) }],
])("a question %s is refused", async (_, body) => {
  expect(await post(await testRecorder(), body)).toMatchObject({ status: 400 });
});
