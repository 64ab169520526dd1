import { describe, expect, test } from "vitest";
import { startFaultServer } from "../../src/conformance/index.ts";
import { isExpired, resources, type KubeObjectLike, type ListPage } from "../../src/index.ts";
import { listOf } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

async function server(pods: number): ReturnType<typeof startFaultServer> {
  const started = await startFaultServer();
  for (let index = 0; index < pods; index++) started.put(`pod-${index}`, "x");
  return started;
}

describe("a list", () => {
  test("comes page by page, and the items say what they are", async () => {
    const faulty = await server(5);
    const pages: ListPage[] = [];
    for await (const page of testClient(faulty.url).list(resources.pods, { pageSize: 2 })) pages.push(page);
    expect(pages.map((page) => page.items.length)).toEqual([2, 2, 1]);
    expect(pages[0]?.items[0]).toMatchObject({ apiVersion: "v1", kind: "Pod" });
    await faulty.stop();
  });

  test("starts again without pages when its continue token has expired, and drops what it had", async () => {
    const faulty = await server(5);
    const client = testClient(faulty.url);
    const pages: ListPage[] = [];
    for await (const page of client.list(resources.pods, { pageSize: 2 })) {
      if (pages.push(page) === 1) {
        faulty.remove("pod-0");
        faulty.forget();
      }
    }
    expect(pages.map((page) => page.restarted)).toEqual([false, true]);
    expect(pages[1]?.items).toHaveLength(4);
    expect(faulty.requests.map((request) => request.query.get("limit"))).toEqual(["2", "2", null]);
    await faulty.stop();
  });

  test("as a whole does not show what an expired attempt had seen", async () => {
    const items = (...names: string[]): KubeObjectLike[] => names.map((name) => ({ metadata: { name } }));
    const stub = await startStub((request, response) => {
      if (request.url.includes("continue=")) sendStatus(response, 410, "Expired");
      else if (request.url.includes("limit=")) sendJson(response, listOf(items("old", "gone"), { continue: "t" }));
      else sendJson(response, listOf(items("old", "new"), { resourceVersion: "9" }));
    });
    const list = await testClient(stub.url).listAll(resources.pods);
    expect(list.items.map((item) => item.metadata?.name)).toEqual(["old", "new"]);
    expect(list.resourceVersion).toBe("9");
  });

  test("that is expired from the start is the caller's business", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 410, "Expired"));
    const error = await caught(testClient(stub.url).listAll(resources.pods, { resourceVersion: "1" }));
    expect(isExpired(error)).toBe(true);
  });

  test("asks for what is wanted; the version goes with the first page alone", async () => {
    const stub = await startStub((request, response) => {
      const isFirst = !request.url.includes("continue");
      sendJson(response, listOf(null, { continue: isFirst ? "a/b" : "" }));
    });
    const options = {
      namespace: "n",
      labelSelector: "a in (b)",
      fieldSelector: "c!=d",
      pageSize: 10,
      resourceVersion: "0",
    };
    expect(await testClient(stub.url).listAll(resources.pods, options)).toEqual({ items: [], resourceVersion: "1" });
    expect(stub.requests.map((request) => request.url)).toEqual([
      "/api/v1/namespaces/n/pods?limit=10&labelSelector=a%20in%20(b)&fieldSelector=c!%3Dd&resourceVersion=0",
      "/api/v1/namespaces/n/pods?limit=10&continue=a%2Fb&labelSelector=a%20in%20(b)&fieldSelector=c!%3Dd",
    ]);
  });
});
