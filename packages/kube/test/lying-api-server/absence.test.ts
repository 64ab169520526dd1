import { describe, expect, test } from "vitest";
import { isNotFound, isObjectNotFound, resources } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const DETAILS = { name: "p", kind: "pods" };
const STATUS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 };
const NOT_FOUND = { ...STATUS, message: 'pods "p" not found', details: DETAILS };

async function answered(body: string, status = 404): Promise<unknown> {
  const stub = await startStub((_request, response) => response.writeHead(status).end(body));
  return caught(testClient(stub.url, { retry: { limit: 0 } }).get(resources.pods, "p"));
}

describe("that an object does not exist", () => {
  test("is said by the Status that names it", async () => {
    expect(isObjectNotFound(await answered(JSON.stringify(NOT_FOUND)), resources.pods, "p")).toBe(true);
    const lease = { ...NOT_FOUND, details: { name: "l", group: "coordination.k8s.io", kind: "leases" } };
    expect(isObjectNotFound(await answered(JSON.stringify(lease)), resources.leases, "l")).toBe(true);
  });

  test.each([
    ["a default backend", "default backend - 404"],
    ["a page", "<html><h1>404 Not Found</h1></html>"],
    ["nothing", ""],
    ["a Status without details", JSON.stringify(STATUS)],
    ["a Status with details that are none", JSON.stringify({ ...NOT_FOUND, details: "pods p" })],
    ["a Status about a path", JSON.stringify({ ...NOT_FOUND, details: {} })],
    ["a Status about another name", JSON.stringify({ ...NOT_FOUND, details: { ...DETAILS, name: "q" } })],
    ["a Status about another kind", JSON.stringify({ ...NOT_FOUND, details: { ...DETAILS, kind: "namespaces" } })],
    [
      "a Status about another group",
      JSON.stringify({ ...NOT_FOUND, details: { ...DETAILS, group: "metrics.k8s.io" } }),
    ],
    ["a Status about the kind alone", JSON.stringify({ ...NOT_FOUND, details: { kind: "pods" } })],
    ["a Status with another reason", JSON.stringify({ ...NOT_FOUND, reason: "Gone" })],
    ["a Status with another code", JSON.stringify({ ...NOT_FOUND, code: 500 })],
    ["a Status without a code", JSON.stringify({ ...NOT_FOUND, code: undefined })],
    ["a Status of another kind", JSON.stringify({ ...NOT_FOUND, kind: "Failure" })],
    ["a list of Statuses", JSON.stringify([NOT_FOUND])],
  ])("is not said by %s", async (_what, body) => {
    const error = await answered(body);
    expect(isNotFound(error)).toBe(true);
    expect(isObjectNotFound(error, resources.pods, "p")).toBe(false);
  });

  test.each([200, 403, 410, 500])("is not said by a right Status behind the answer %i", async (status) => {
    expect(isObjectNotFound(await answered(JSON.stringify(NOT_FOUND), status), resources.pods, "p")).toBe(false);
  });
});
