// A stand-in API server for benchmarks, a process of its own: takes any object and answers it with a uid, keeps
// nothing, so that no object is found. Prints its port.
import { createServer } from "node:http";

const OBJECT = /\/namespaces\/[^/]+\/([^/]+)\/([^/?]+)/;

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    const [, plural, name] = OBJECT.exec(request.url) ?? [];
    if (request.method === "GET" && name !== undefined) {
      response.statusCode = 404;
      response.end(JSON.stringify(notFound(plural, name)));
      return;
    }
    if (chunks.length === 0) {
      response.end('{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}');
      return;
    }
    const object = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const metadata = { ...object.metadata, uid: "11111111-2222-4333-8444-555555555555", resourceVersion: "1" };
    response.statusCode = 201;
    response.end(JSON.stringify({ ...object, metadata }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));

function notFound(plural, name) {
  return {
    ...{ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 },
    message: `${plural} "${name}" not found`,
    details: { name, kind: plural },
  };
}
