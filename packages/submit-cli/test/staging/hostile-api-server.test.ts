import type { ApiRecorder } from "@kindling/test-kit/api-recorder";
import { describe, expect, test } from "vitest";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { hostileServer } from "../fixtures/hostile-server.ts";
import { clusterOfUser, runStaging } from "../fixtures/staging-commands.ts";

/** Replaces each created token by this. */
function answeringTokens(token: unknown): ApiRecorder["fault"] {
  return ({ path, body }) =>
    path.endsWith("/token")
      ? { kind: "answer", status: 201, text: JSON.stringify({ ...(body as object), status: { token } }) }
      : undefined;
}

describe("an API server that does not make the token that is asked for", () => {
  const account = { namespace: "spark-jobs", account: "kindling-submitter" };
  test.each([
    [
      "passes over audiences",
      serviceAccountToken({ ...account, audiences: ["https://kubernetes.default.svc"] }),
      'for "https://kubernetes.default.svc"',
    ],
    [
      "adds its own audience",
      serviceAccountToken({ ...account, audiences: ["kindling-staging", "https://kubernetes.default.svc"] }),
      'for "kindling-staging, https://kubernetes.default.svc"',
    ],
    [
      "has that audience itself",
      serviceAccountToken({ ...account, audiences: ["kindling-staging"], issuer: "kindling-staging" }),
      "the API server's own audience",
    ],
    [
      "names no audience",
      serviceAccountToken({ ...account, audiences: [], claims: { aud: undefined } }),
      "for nobody in particular",
    ],
    [
      "gives one of another account",
      serviceAccountToken({ ...account, account: "spark", audiences: ["kindling-staging"] }),
      'of "system:serviceaccount:spark-jobs:spark" instead of kindling-submitter',
    ],
    ["gives a token with a line break", "a.b.c\r\nx: y", "what came is no token"],
    ["gives an endless one", "t".repeat(20_000), "what came is no token"],
    ["gives nothing", undefined, "it has none in its answer"],
    ["gives a number", 42, "it has none in its answer"],
  ])("%s: nothing is sent to the staging server", async (_, token, why) => {
    const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
    cluster.api.fault = answeringTokens(token);
    const { stdout, stderr, code } = await runStaging(["staging", "ls"], { cluster, uri: server.url });
    expect(code).toBe(1);
    expect(server.shown).toEqual([]);
    expect(stderr).toContain(why);
    expect(stderr).toContain("nothing is sent to the staging server");
    expect(typeof token === "string" && (stdout + stderr).includes(token)).toBe(false);
  });

  test("a token that only the API server can look into goes to the staging server", async () => {
    const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
    cluster.api.fault = answeringTokens("opaque-token");
    await runStaging(["staging", "ls"], { cluster, uri: server.url });
    expect(server.shown).toContain("Bearer opaque-token");
  });

  test.each([301, 302, 303, 307, 308])("redirects with %i: nothing goes there", async (status) => {
    const [server, other] = await Promise.all([hostileServer(), hostileServer()]);
    const api = await hostileServer((_, response) => {
      response.writeHead(status, { location: other.url }).end();
      return true;
    });
    const { code } = await runStaging(["staging", "ls"], { cluster: api, uri: server.url });
    expect(code).toBe(1);
    expect(api.shown.length).toBeGreaterThan(0);
    expect(other.requests).toEqual([]);
    expect(server.shown).toEqual([]);
  });
});
