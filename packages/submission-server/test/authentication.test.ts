import { createHash } from "node:crypto";
import { request } from "node:https";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { clientToken, serviceToken } from "./support/rights.ts";
import { piOf } from "./support/submissions.ts";
import { type Answer, startTestServer, testConfig, type TestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const accessFile = (subjects: readonly object[]): string => JSON.stringify({ subjects });

function asker(server: TestServer, token: string | undefined) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (method: string, path: string, body?: unknown): Promise<Answer> => server.ask(method, path, body, headers);
}

test("with tokens of a file, each client has its namespaces, and sees nothing of others", async () => {
  const cluster = await TestCluster.start();
  const folder = scratchFolder();
  const file = folder.write(
    "access.json",
    accessFile([
      { name: "ci", tokenSha256: sha256("t-ci"), namespaces: ["spark-*"] },
      { name: "other", tokenSha256: sha256("t-other"), namespaces: ["elsewhere"] },
    ]),
  );
  const settings = ["--auth-modes", "token", "--auth-access-file", file, "--tls-reload-interval", "100ms"];
  const server = await startTestServer(cluster, { settings });
  const [ci, other, nobody] = [asker(server, "t-ci"), asker(server, "t-other"), asker(server, undefined)];
  const id = String((await ci("POST", SUBMISSIONS, piOf())).body["id"]);
  expect((await ci("POST", SUBMISSIONS, piOf({ namespace: "elsewhere" }))).status).toBe(403);
  for (const path of [SUBMISSIONS, `${SUBMISSIONS}/${id}`, `${SUBMISSIONS}/${id}/log`, "/api/v1/events"]) {
    const { status, headers } = await nobody("GET", path);
    expect({ status, how: headers.get("www-authenticate") }, path).toEqual({ status: 401, how: "Bearer" });
  }
  expect((await nobody("GET", SUBMISSIONS)).body).toMatchObject({
    detail: "no credentials were sent",
    hint: "send Authorization: Bearer with a token whose SHA-256 is in the service's auth.accessFile",
  });
  expect((await asker(server, "t-wrong")("GET", SUBMISSIONS)).body["detail"]).toBe("the credentials are not accepted");
  await eventually(async () => expect((await ci("GET", SUBMISSIONS)).body["items"]).toHaveLength(1));
  expect((await other("GET", SUBMISSIONS)).body["items"]).toEqual([]);
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/log"],
    ["GET", "/events"],
    ["DELETE", ""],
  ] as const)
    expect((await other(method, `${SUBMISSIONS}/${id}${path}`)).status, method + path).toBe(403);
  expect((await other("GET", "/api/v1/events?namespace=spark-jobs")).status).toBe(403);

  folder.write("access.json", accessFile([{ name: "other", tokenSha256: sha256("t-other"), namespaces: ["*"] }]));
  await eventually(async () => expect((await ci("GET", SUBMISSIONS)).status).toBe(401));
  expect((await other("GET", `${SUBMISSIONS}/${id}`)).status).toBe(200);
  expect(server.lines.join("\n")).not.toContain("t-ci");
});

test("with tokens of the cluster, whoever may create pods may submit, and so on", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const server = await startTestServer(cluster, {
    token: await serviceToken(cluster),
    settings: ["--auth-modes", "kubernetes", "--cluster-namespaces", "spark-jobs"],
  });
  const tokens = await Promise.all([
    clientToken(cluster, "submitter", ["submit"]),
    clientToken(cluster, "viewer", ["view"]),
    clientToken(cluster, "reader", ["view", "log"]),
    clientToken(cluster, "killer", ["kill"]),
    clientToken(cluster, "stranger", []),
  ]);
  const [submitter, viewer, reader, killer, stranger] = tokens.map((token) => asker(server, token));
  if (!submitter || !viewer || !reader || !killer || !stranger) throw new Error("there is nobody");
  const made = await submitter("POST", SUBMISSIONS, piOf());
  expect(made.status, made.text).toBe(201);
  const id = String(made.body["id"]);
  const driver = await cluster.driver();
  await cluster.inPhase(driver, "Running");
  cluster.writeLog(driver, ["hello"]);
  cluster.end(driver, 3);
  await cluster.inPhase(driver, "Failed");
  const refused = await viewer("POST", SUBMISSIONS, piOf());
  expect({ status: refused.status, hint: refused.body["hint"] }).toEqual({
    status: 403,
    hint: "let an administrator grant it: kindling rbac submitter -n spark-jobs --serviceaccount=spark-jobs:viewer | kubectl apply -f -",
  });
  expect((await stranger("GET", `${SUBMISSIONS}/${id}`)).body["detail"]).toMatch(
    /may not get pods in namespace spark-jobs/,
  );
  const brief = await viewer("GET", `${SUBMISSIONS}/${id}`);
  expect(brief.status).toBe(200);
  expect(brief.body).not.toHaveProperty("findings");
  expect((await viewer("GET", `${SUBMISSIONS}/${id}/log`)).status).toBe(403);
  expect((await reader("GET", `${SUBMISSIONS}/${id}`)).body["findings"]).not.toEqual([]);
  expect((await reader("GET", `${SUBMISSIONS}/${id}/log`)).text).toBe("hello\n");
  expect((await reader("DELETE", `${SUBMISSIONS}/${id}`)).status).toBe(403);
  expect((await killer("DELETE", `${SUBMISSIONS}/${id}`)).status).toBe(202);
});

test("a token that is good elsewhere too, or only there, is refused without being shown to anybody", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const server = await startTestServer(cluster, {
    token: await serviceToken(cluster),
    settings: ["--auth-modes", "kubernetes", "--cluster-namespaces", "spark-jobs"],
  });
  const both = ["kindling-submission", "https://kubernetes.default.svc"];
  const reviews = (): number => cluster.api.requests.filter(({ path }) => path.endsWith("/tokenreviews")).length;
  const before = reviews();
  for (const [name, audiences] of [
    ["of-both", both],
    ["of-other", ["vault"]],
  ] as const) {
    const token = await clientToken(cluster, name, ["submit"], audiences);
    const answer = await asker(server, token)("POST", SUBMISSIONS, piOf());
    expect(answer.status, name).toBe(401);
    expect(answer.body["hint"]).toContain("kubectl create token NAME --audience kindling-submission");
  }
  expect(reviews()).toBe(before);
  expect((await asker(server, "nonsense")("GET", SUBMISSIONS)).status).toBe(401);
});

test("with client certificates, over TLS, each common name has its namespaces", async () => {
  const cluster = await TestCluster.start();
  const [authority, ofClients, strangers] = ["cluster", "clients", "strangers"].map(testAuthority);
  if (!authority || !ofClients || !strangers) throw new Error("there is no authority");
  const folder = scratchFolder();
  const own = authority.issue("kindling");
  const file = accessFile([{ name: "operator", certificate: "spark-operator", namespaces: ["*"] }]);
  const settings = [
    ...["--auth-modes", "mtls,token", "--auth-access-file", folder.write("access.json", file)],
    ...["--tls-cert-file", folder.write("tls.crt", own.cert), "--tls-key-file", folder.write("tls.key", own.key)],
    ...["--tls-client-ca-file", folder.write("ca.crt", ofClients.cert)],
  ];
  const server = await startTestServer(cluster, { settings });
  const status = (certificate?: { readonly cert: string; readonly key: string }): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { ca: authority.cert, ...certificate };
      request(new URL(SUBMISSIONS, server.uri), options, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
  expect(await status(ofClients.issue("spark-operator"))).toBe(200);
  expect(await status(ofClients.issue("somebody"))).toBe(401);
  expect(await status(strangers.issue("spark-operator"))).toBe(401);
  expect(await status()).toBe(401);
});

test.each([
  [["--listen-host", "0.0.0.0"], "auth.modes is not set"],
  [["--listen-host", "0.0.0.0", "--auth-modes", "none"], "auth.modes is not set"],
  [["--listen-host", "0.0.0.0", "--auth-modes", "kubernetes"], "tls.certFile is not set"],
  [["--auth-modes", "token"], "auth.accessFile is not set"],
  [["--auth-modes", "mtls", "--auth-access-file", "a"], "tls.clientCaFile is not set"],
  [["--auth-modes", "none,token"], "expected none alone"],
  [["--tls-cert-file", "a"], "tls.keyFile is not set"],
  [["--auth-audiences", "https://kubernetes.default.svc"], "audiences of this service's own"],
])("settings that would leave the service open, or cannot be: %s", (settings, message) => {
  expect(() => testConfig(...settings)).toThrow(message);
});
