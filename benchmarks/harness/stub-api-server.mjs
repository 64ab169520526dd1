// @ts-check
// A stub API server for benchmarks, as a separate process. It accepts any object and answers with a uid. It stores nothing, so
// no object is ever found. Prints its port.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "./port-of.mjs";

const OBJECT = /\/namespaces\/[^/]+\/([^/]+)\/([^/?]+)/;

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${portOf(server)}\n`));

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(request, response) {
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  const [, plural = "", name] = OBJECT.exec(request.url ?? "") ?? [];
  if (request.method === "GET" && name !== undefined) {
    response.statusCode = 404;
    response.end(JSON.stringify(notFound(plural, name)));
    return;
  }
  if (body === "") {
    response.end('{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}');
    return;
  }
  /** @type {{ metadata?: object }} */
  const object = JSON.parse(body);
  const metadata = { ...object.metadata, uid: "11111111-2222-4333-8444-555555555555", resourceVersion: "1" };
  response.statusCode = 201;
  response.end(JSON.stringify({ ...object, metadata }));
}

/**
 * @param {string} plural
 * @param {string} name
 */
function notFound(plural, name) {
  return {
    ...{ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 },
    message: `${plural} "${name}" not found`,
    details: { name, kind: plural },
  };
}
