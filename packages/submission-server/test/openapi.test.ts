import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { startTestServer } from "./support/test-server.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

test("the API is described as OpenAPI 3.1, every reference of which leads somewhere", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { status, body, text } = await server.ask("GET", "/openapi.json");
  expect(status).toBe(200);
  const document = body as unknown as Document;
  expect(document.openapi).toBe("3.1.0");
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.toSorted()).toEqual([
    "DELETE /api/v1/submissions/{id}",
    "GET /api/v1/events",
    "GET /api/v1/submissions",
    "GET /api/v1/submissions/{id}",
    "GET /api/v1/submissions/{id}/events",
    "GET /api/v1/submissions/{id}/log",
    "POST /api/v1/spark-submit",
    "POST /api/v1/submissions",
  ]);
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name);
  expect(new Set(references).size).toBeGreaterThan(5);
  expect(document.components.schemas["Application"]).toMatchObject({
    properties: {
      phase: { enum: ["Pending", "Running", "Succeeded", "Failed", "Unknown", "Terminating"] },
    },
  });
  for (const name of references) expect(document.components.schemas).toHaveProperty([name]);
});

test("each answer says what it is, logs and events are texts, and refusals are problems", async () => {
  const server = await startTestServer(await TestCluster.start());
  const { paths } = (await server.ask("GET", "/openapi.json")).body as unknown as Document;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, responses } of operations) {
    for (const [status, { description }] of Object.entries(responses))
      expect(description, `${operationId} ${status}`).not.toBe("Default Response");
    const bare = Object.keys(responses).filter((status) => responses[status]?.content === undefined);
    expect(bare, operationId).toEqual(operationId === "applicationEvents" ? ["204"] : []);
    const refusal = operationId === "sparkSubmit" ? "application/json" : "application/problem+json";
    for (const status of ["4XX", "5XX"]) expect(Object.keys(responses[status]?.content ?? {})).toEqual([refusal]);
  }
  const typeOf = (path: string): unknown => Object.keys(paths[path]?.["get"]?.responses["200"]?.content ?? {});
  expect(typeOf("/api/v1/submissions/{id}/log")).toEqual(["text/plain"]);
  expect(typeOf("/api/v1/events")).toEqual(["text/event-stream"]);
});

test("no schema has the name that generators give to the answer of an operation", async () => {
  const server = await startTestServer(await TestCluster.start());
  const { paths, components } = (await server.ask("GET", "/openapi.json")).body as unknown as Document;
  const taken = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => [`${operationId}response`, `${operationId}params`]),
  );
  const names = Object.keys(components.schemas).map((name) => name.toLowerCase());
  expect(names.filter((name) => taken.map((each) => each.toLowerCase()).includes(name))).toEqual([]);
});
