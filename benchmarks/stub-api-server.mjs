// A stand-in API server for benchmarks, a process of its own: takes any object and answers it with a uid, keeps
// nothing. Prints its port.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
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
