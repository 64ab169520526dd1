import { expect, test } from "vitest";
import { testAuthority } from "@kindling/test-kit/certificates";
import { pod } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

test("credentials of the mounted secret go to their host alone, over TLS, and never along a redirect", async () => {
  const authority = testAuthority("test");
  const tls = authority.issue("server");
  const elsewhere = await webServer((_, response) => response.end("from elsewhere"), { tls });
  const server = await webServer(
    (request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: `${elsewhere.uri}/there` }).end();
      else response.writeHead(request.headers.authorization === "Basic dDpwdw==" ? 200 : 401).end("private");
    },
    { tls },
  );
  const { run, volume, folder, tree } = pod();
  folder.write("credentials/netrc", "machine 127.0.0.1 login t password pw");
  folder.write(
    "credentials/headers.json",
    JSON.stringify({ [`127.0.0.1:${server.port}`]: { "X-Token": "topsecret" } }),
  );
  folder.write("credentials/ca.crt", authority.cert);
  const { code, stderr } = await run({
    parallel: 1,
    credentialsDir: folder.at("credentials"),
    redirectHosts: [`127.0.0.1:${elsewhere.port}`],
    files: [
      { from: { uri: `${server.uri}/private` }, to: `${volume}/a` },
      { from: { uri: `${server.uri}/moved` }, to: `${volume}/b` },
    ],
  });
  expect(stderr).not.toContain("topsecret");
  expect(code, stderr).toBe(0);
  expect(tree()).toEqual({ a: "644 private", b: "644 from elsewhere" });
  expect(server.requests.map(({ headers }) => headers["x-token"])).toEqual(["topsecret", "topsecret"]);
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty("authorization");
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty("x-token");
});

test("credentials are not sent again when a redirect has led away and leads back", async () => {
  const other = await webServer((_, response) => response.writeHead(302, { location: `${server.uri}/back` }).end());
  const server = await webServer((request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: `${other.uri}/there` }).end();
    else response.end("public");
  });
  const { run, volume, folder, tree } = pod();
  folder.write("credentials/netrc", `machine http://127.0.0.1:${server.port} login t password pw`);
  const { code, stderr } = await run({
    credentialsDir: folder.at("credentials"),
    redirectHosts: [`127.0.0.1:${other.port}`, `127.0.0.1:${server.port}`],
    files: [{ from: { uri: `${server.uri}/away` }, to: `${volume}/a` }],
  });
  expect(code, stderr).toBe(0);
  expect(tree()).toEqual({ a: "644 public" });
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/away", "Basic dDpwdw=="],
    ["/back", undefined],
  ]);
});

test("credentials are not sent without TLS unless their entry says so", async () => {
  const server = await webServer((_, response) => response.end("x"));
  const { run, volume, folder } = pod();
  const files = [{ from: { uri: `${server.uri}/x` }, to: `${volume}/x` }];
  const credentialsDir = folder.mkdir("credentials");
  folder.write("credentials/netrc", "machine 127.0.0.1 login t password pw");
  await run({ credentialsDir, files });
  folder.write("credentials/netrc", `machine http://127.0.0.1:${server.port} login t password pw`);
  await run({ credentialsDir, files });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, "Basic dDpwdw=="]);
});

test.each([
  ["netrc", "machine h login a", "the entry of h has no password"],
  ["headers.json", "{", "it is no JSON"],
  ["hadoop-tokens", "HDTSx", "it is no file of Hadoop tokens"],
])("a %s that cannot be read is an error of the configuration", async (name, content, problem) => {
  const { run, volume, folder } = pod();
  folder.write(`credentials/${name}`, content);
  const files = [{ from: { uri: "https://h/x" }, to: `${volume}/x` }];
  const { code, failure } = await run({ credentialsDir: folder.at("credentials"), files });
  expect(code).toBe(2);
  expect(failure.message).toContain(`${folder.at(`credentials/${name}`)}: ${problem}`);
});
