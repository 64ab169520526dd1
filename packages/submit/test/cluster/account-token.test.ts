import { sparkConf } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { ManualClock, systemClock } from "@kindling/outside";
import { stagingAccess, type StagingAccess } from "../../src/gather/staging/staging-access.ts";
import type { AccountToken } from "../../src/cluster/account-token.ts";
import { submitterToken } from "../../src/stage/submitter-token.ts";
import { caught, caughtFrom } from "@kindling/test-kit/caught";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { impatientClient, NAMESPACE } from "../fixtures/submission.ts";

const MINUTE = 60_000;

interface Scene {
  readonly cluster: TestCluster;
  readonly token: AccountToken;
  /** Moves this machine's clock. */
  readonly pass: (milliseconds: number) => void;
  /** How many tokens were created. */
  readonly made: () => number;
}

/** How to reach a staging server according to a configuration. */
function accessFor(keys: Readonly<Record<string, string>>): StagingAccess {
  const conf = sparkConf({ "spark.kindling.staging.uri": "http://staging", ...keys }, { sparkVersion: "" });
  return stagingAccess(conf, {}, systemClock);
}

async function scene(keys: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const cluster = await TestCluster.start();
  const client = await impatientClient(cluster);
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  return {
    cluster,
    token: submitterToken(accessFor(keys), (ask) => ask(client, NAMESPACE), clock),
    pass: (milliseconds) => clock.advanceAtOnce(milliseconds),
    made: () => cluster.api.requests.filter(({ path }) => path.endsWith("/token")).length,
  };
}

test("it is asked for with the audience and for ten minutes, of the account that is configured", async () => {
  const { cluster, token } = await scene({
    "spark.kindling.staging.serviceAccount": "spark",
    "spark.kindling.staging.audience": "staging-of-team-a",
  });
  await token();
  expect(cluster.api.requests).toMatchObject([
    {
      method: "POST",
      path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/spark/token`,
      body: { spec: { audiences: ["staging-of-team-a"], expirationSeconds: 600 } },
    },
  ]);
});

describe("one token serves", () => {
  test("all requests of a command, also those that ask at once", async () => {
    const { token, made, pass } = await scene();
    const [first, ...others] = await Promise.all([token(), token(), token()]);
    pass(7 * MINUTE);
    expect([...others, await token()]).toEqual([first, first, first]);
    expect(made()).toBe(1);
  });

  test("until four fifths of its life are over, as the API server says how long that is", async () => {
    const { cluster, token, made, pass } = await scene();
    const lifeSeconds = 3600;
    cluster.api.fault = () => {
      const account = { namespace: NAMESPACE, account: "kindling-submitter", audiences: ["kindling-staging"] };
      const status = { token: serviceAccountToken({ ...account, lifeSeconds }) };
      return { kind: "answer", status: 201, text: JSON.stringify({ kind: "TokenRequest", status }) };
    };
    const first = await token();
    pass(47 * MINUTE);
    expect(await token()).toBe(first);
    pass(2 * MINUTE);
    const renewed = await Promise.all([token(), token(), token()]);
    expect(renewed[0]).not.toBe(first);
    expect(new Set(renewed).size).toBe(1);
    expect(made()).toBe(2);
  });

  test("until the staging server refuses it, unless it is new", async () => {
    const { token, made, pass } = await scene();
    const first = await token();
    expect(await token(first)).toBe(first);
    pass(MINUTE);
    const [second, ...others] = await Promise.all([token(first), token(first), token(first)]);
    expect(second).not.toBe(first);
    expect(others).toEqual([second, second]);
    expect(await token(first)).toBe(second);
    expect(made()).toBe(2);
  });

  test("not where the clock was set back", async () => {
    const { token, made, pass } = await scene();
    const first = await token();
    pass(-MINUTE);
    expect(await token()).not.toBe(first);
    expect(made()).toBe(2);
  });

  test("to its end while the API server makes no other", async () => {
    const { cluster, token, pass } = await scene();
    const first = await token();
    cluster.api.fault = () => ({ kind: "status", status: 500 });
    pass(9 * MINUTE);
    expect(await token()).toBe(first);
    const asked = cluster.api.requests.length;
    expect(await token()).toBe(first);
    expect(cluster.api.requests).toHaveLength(asked);
    pass(2 * MINUTE);
    await expect(token()).rejects.toThrow("500");
    cluster.api.fault = () => undefined;
    expect(await token()).not.toBe(first);
  });
});

describe("the error says what to do", () => {
  const DENIED =
    'serviceaccounts "kindling-submitter" is forbidden: User "alice" cannot create resource "serviceaccounts/token" ' +
    `in API group "" in the namespace "${NAMESPACE}"`;
  const cases: [string, Fault, { code: string; message: RegExp; hint: string }][] = [
    [
      "where the account is missing",
      { kind: "status", status: 404, reason: "NotFound", message: 'serviceaccounts "kindling-submitter" not found' },
      {
        code: "OBJECT_NOT_FOUND",
        message: /^namespace spark-jobs has no service account kindling-submitter/,
        hint: "make it with: kubectl -n spark-jobs create serviceaccount kindling-submitter",
      },
    ],
    [
      "where the namespace is missing",
      { kind: "status", status: 404, reason: "NotFound", message: 'namespaces "spark-jobs" not found' },
      {
        code: "OBJECT_NOT_FOUND",
        message: /^namespaces "spark-jobs" not found/,
        hint: "correct -n or spark.kubernetes.namespace, or make it: kubectl create namespace spark-jobs",
      },
    ],
    [
      "where the right is missing: it is granted for this account alone",
      { kind: "status", status: 403, reason: "Forbidden", message: DENIED },
      {
        code: "CLUSTER_FORBIDDEN",
        message: /^you may not upload for namespace spark-jobs/,
        hint:
          "let an administrator grant it: kubectl -n spark-jobs create role kindling-submitter --verb=create " +
          "--resource=serviceaccounts/token --resource-name=kindling-submitter --dry-run=client -o yaml | kubectl apply -f -; " +
          "kubectl -n spark-jobs create rolebinding kindling-submitter --role=kindling-submitter --user=alice " +
          "--dry-run=client -o yaml | kubectl apply -f -",
      },
    ],
    [
      "where the API server knows no TokenRequest",
      {
        kind: "status",
        status: 404,
        reason: "NotFound",
        message: "the server could not find the requested resource",
      },
      {
        code: "UNSUPPORTED",
        message: /^the API server makes no tokens of service accounts/,
        hint: "give a token of the staging server's own with KINDLING_STAGING_TOKEN",
      },
    ],
  ];
  test.each(cases)("%s", async (_, fault, { code, message, hint }) => {
    const { cluster, token } = await scene();
    cluster.api.fault = () => fault;
    const error = await caught(token());
    expect(error).toMatchObject({ code, hint });
    expect(error.message).toMatch(message);
    // The next attempt asks again.
    cluster.api.fault = () => undefined;
    expect(await token()).not.toBe("");
  });
});

test.each([
  ["spark.kindling.staging.audience", "https://kubernetes.default.svc"],
  ["spark.kindling.staging.audience", "https://kubernetes.default.svc.cluster.local"],
  ["spark.kindling.staging.audience", "kubernetes"],
  ["spark.kindling.staging.audience", "api"],
  ["spark.kindling.staging.audience", ""],
  ["spark.kindling.staging.audience", "one,two"],
  ["spark.kindling.staging.serviceAccount", ""],
  ["spark.kindling.staging.serviceAccount", "../default"],
  ["spark.kindling.staging.serviceAccount", "default/token?x="],
])("%s=%s is refused before anybody is asked", (key, value) => {
  expect(caughtFrom(() => accessFor({ [key]: value }))).toMatchObject({
    code: "CONF_INVALID",
    message: expect.stringContaining(key) as string,
  });
});
