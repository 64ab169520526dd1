import type { Answer } from "@kindling/test-kit/api-client";
import { expect, test } from "vitest";
import { createApi, defineResource, parseAmount } from "../src/index.ts";
import { served } from "./served.ts";

const PODS = "/api/v1/namespaces/jobs/pods";

type Operation = Readonly<Record<string, unknown>>;

/** The answer to a JSON patch on a pod with these fields. */
async function patched(fields: object, patch: readonly Operation[]): Promise<Answer> {
  const client = (await served({ api: createApi({ resources: [defineResource({ kind: "Pod" })] }) }))();
  expect((await client.post(PODS, { metadata: { name: "a" }, ...fields })).status).toBe(201);
  return await client.patch(`${PODS}/a`, "json", patch);
}

function copies(count: number): Operation[] {
  return Array.from({ length: count }, (_, index) => ({ op: "copy", from: "/spec", path: `/spec/copy${index}` }));
}

test("a patch that copies an object into itself again and again is refused before memory is full", async () => {
  const start = performance.now();
  const answer = await patched({ spec: { text: "x".repeat(100) } }, copies(40));
  expect(answer.body).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
  });
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("copies of 3 MiB together are allowed, as Kubernetes has it, and a byte more is not", async () => {
  const text = "x".repeat(512 * 1024 - 2);
  const copy = (index: number): Operation => ({ op: "copy", from: "/spec/text", path: `/spec/copy${index}` });
  const six = [1, 2, 3, 4, 5, 6].map(copy);
  expect((await patched({ spec: { text } }, six)).status).toBe(200);
  const more = { op: "copy", from: "/spec/empty", path: "/spec/more" };
  expect((await patched({ spec: { text, empty: null } }, [...six, more])).status).toBe(422);
});

test("a patch has 10,000 operations and no more, as Kubernetes has it", async () => {
  const tests = (count: number): Operation[] =>
    Array.from({ length: count }, () => ({ op: "test", path: "/metadata/name", value: "a" }));
  expect((await patched({}, tests(10_000))).status).toBe(200);
  expect((await patched({}, tests(10_001))).body).toMatchObject({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  });
});

test("a test of a long list takes no longer than the list is", async () => {
  const list = Array.from({ length: 20_000 }, (_, index) => index);
  const start = performance.now();
  expect((await patched({ list }, [{ op: "test", path: "/list", value: list.map((item) => item + 1) }])).status).toBe(
    422,
  );
  expect((await patched({ list }, [{ op: "test", path: "/list", value: list }])).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("a quantity that nobody writes is none, and takes no time", () => {
  const start = performance.now();
  for (const text of ["9".repeat(1_000_000), `${"9".repeat(200_000)}x`]) expect(parseAmount(text)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(50);
});
