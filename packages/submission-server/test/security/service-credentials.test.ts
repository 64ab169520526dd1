import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { signedToken, signingKey, startTestIssuer } from "@kindling/test-kit/oidc-issuer";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { clientToken, serviceToken } from "../support/rights.ts";
import { piOf } from "../support/submissions.ts";
import { startTestServer, type TestServer } from "../support/test-server.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
const SUBMISSIONS = "/api/v1/submissions";

/** Everything of a request except its credentials. */
function contentOf({ method, path, query, body }: SeenRequest): string {
  return JSON.stringify([method, path, query.toString(), body]);
}

/** Everything that clients, scrapers and readers of the log can see. */
async function shown(server: TestServer, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const asked = await Promise.all(
    [SUBMISSIONS, `${SUBMISSIONS}/spark-jobs:nobody`, "/openapi.json"].map((path) =>
      server.ask("GET", path, undefined, headers),
    ),
  );
  const pages = await Promise.all(
    ["metrics", "readyz"].map(async (path) => (await fetch(new URL(path, server.adminUri))).text()),
  );
  return [...server.lines, ...pages, ...asked.map(({ text }) => text)].join("\n");
}

test("C25, C26: the service's own token goes to the API server as a proof, a client's as a question, and neither anywhere else", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const own = await serviceToken(cluster);
  const client = await clientToken(cluster, "jane", ["submit", "view"]);
  const server = await startTestServer(cluster, {
    token: own,
    settings: ["--auth-modes", "kubernetes", "--cluster-namespaces", "spark-jobs"],
  });
  // An API server that repeats the request in an error.
  let echoes = 1;
  cluster.api.fault = ({ path, body }) => {
    if (echoes === 0 || path !== REVIEWS) return undefined;
    echoes -= 1;
    const message = `cannot take ${JSON.stringify(body)}, ${own}`;
    return { kind: "status", status: 400, reason: "BadRequest", message };
  };
  const headers = { authorization: `Bearer ${client}` };
  const refused = await server.ask("POST", SUBMISSIONS, piOf(), headers);
  expect(refused.status).toBeGreaterThanOrEqual(500);
  const made = await server.ask("POST", SUBMISSIONS, piOf(), headers);
  expect(made.status, made.text).toBe(201);

  const requests = cluster.api.requests.filter(({ headers: seen }) => seen.authorization === `Bearer ${own}`);
  const asking = requests.filter((request) => contentOf(request).includes(client));
  expect(new Set(asking.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set([`POST ${REVIEWS}`]));
  for (const request of requests) expect(contentOf(request)).not.toContain(own);
  expect(cluster.api.requests.filter(({ headers: seen }) => seen.authorization === `Bearer ${client}`)).toEqual([]);
  const objects = await Promise.all(
    (["Pod", "ConfigMap", "Secret", "Service"] as const).map((kind) => cluster.objects(kind)),
  );
  for (const text of [JSON.stringify(objects), refused.text, made.text, await shown(server, client)]) {
    expect(text).not.toContain(client);
    expect(text).not.toContain(own);
  }
});

test("C27: a token of the access file is compared by its hash, and goes nowhere", async () => {
  const cluster = await TestCluster.start();
  const token = "a-token-of-the-access-file";
  const subject = { name: "ci", tokenSha256: createHash("sha256").update(token).digest("hex"), namespaces: ["*"] };
  const file = scratchFolder().write("access.json", JSON.stringify({ subjects: [subject] }));
  const server = await startTestServer(cluster, {
    settings: ["--auth-modes", "token", "--auth-access-file", file],
  });
  const made = await server.ask("POST", SUBMISSIONS, piOf(), { authorization: `Bearer ${token}` });
  expect(made.status, made.text).toBe(201);

  const seen = cluster.api.requests.map((request) => contentOf(request) + JSON.stringify(request.headers));
  const objects = await Promise.all((["Pod", "ConfigMap", "Secret"] as const).map((kind) => cluster.objects(kind)));
  for (const text of [...seen, JSON.stringify(objects), made.text, await shown(server, token)])
    expect(text).not.toContain(token);
});

test("C34: a token of an OpenID Connect issuer is checked here, and goes nowhere", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const key = signingKey("one");
  const issuer = await startTestIssuer([key]);
  const audit = scratchFolder().write("audit.log", "");
  const server = await startTestServer(cluster, {
    token: await serviceToken(cluster),
    settings: [
      ...["--auth-modes", "oidc,kubernetes", "--cluster-namespaces", "spark-jobs", "--audit-log-path", audit],
      ...["--oidc-issuer-url", issuer.url, "--oidc-client-id", "kindling", "--oidc-ca-file", issuer.caFile],
    ],
  });
  for (const claims of [{}, { exp: 1 }, { aud: "other" }, { iss: "https://other.example" }]) {
    const token = signedToken(key, issuer.claims(claims));
    const answer = await server.ask("POST", SUBMISSIONS, piOf(), { authorization: `Bearer ${token}` });
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(401);
    const seen = [answer.text, await shown(server, token), readFileSync(audit, "utf8")];
    const sent = [...cluster.api.requests.map(contentOf), JSON.stringify(issuer.server.requests)];
    for (const text of [...seen, ...sent])
      for (const part of token.split(".").slice(1)) expect(text).not.toContain(part);
  }
});
