import { expect, test } from "vitest";
import { pod } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

test.each([
  ["a local address", "http://127.0.0.1:1/x", undefined],
  ["a name of a local address", "http://localhost:1/x", undefined],
  ["the metadata service", "http://169.254.169.254/latest/meta-data", undefined],
  ["a file", "file:///etc/passwd", undefined],
  ["a host that is not among those allowed", "http://other.example/x", ["repo.example"]],
])("a redirect to %s is refused", async (_, location, redirectHosts) => {
  const server = await webServer((_, response) => response.writeHead(302, { location }).end());
  const { run, volume } = pod();
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
  const { code, failure } = await run({ files, ...(redirectHosts !== undefined && { redirectHosts }) });
  expect(code).toBe(10);
  expect(failure).toMatchObject({ reason: "redirect" });
});

test("a redirect on the same server is followed, three times at most", async () => {
  const server = await webServer((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end("x");
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const { run, volume } = pod();
  expect((await run({ files: [{ from: { uri: `${server.uri}/3` }, to: `${volume}/a` }] })).code).toBe(0);
  expect((await run({ files: [{ from: { uri: `${server.uri}/4` }, to: `${volume}/b` }] })).code).toBe(10);
});
