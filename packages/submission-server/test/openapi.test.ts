import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { startTestServer } from "./support/test-server.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
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
