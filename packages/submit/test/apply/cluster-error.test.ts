import { createServer, type AddressInfo } from "node:net";
import type { Step } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { submit } from "../../src/index.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { testAuthority } from "@kindling/test-kit/certificates";
import { caught } from "@kindling/test-kit/caught";
import { bareEnv } from "@kindling/test-kit/bare-process";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { APP, submitTo } from "../fixtures/submission.ts";

const TOKEN = "s3cr3t-t0ken";

/** A cluster that answers every request with this status. */
async function answering(fault: Omit<Fault & { kind: "status" }, "kind">): Promise<TestCluster> {
  const cluster = await TestCluster.start();
  cluster.api.fault = () => ({ kind: "status", ...fault });
  return cluster;
}

/** Only requests for the application are refused, none for an installation. */
const ALONE = { "spark.kindling.installation": "none" };

describe("an answer of the API server becomes an error for the user", () => {
  test.each([400, 401, 403, 404, 409, 422])("%i without any words", async (status) => {
    const cluster = await answering({ status, reason: "Forbidden", message: "" });
    const { message } = await caught(submitTo(cluster, {}));
    expect(message).toMatch(new RegExp(`(?:GET|POST) /api.*: ${status} Forbidden`));
  });

  test("401", async () => {
    const cluster = await TestCluster.start();
    const error = await caught(
      submitTo(cluster, { conf: { "spark.kubernetes.authenticate.submission.oauthToken": TOKEN } }),
    );
    expect(error).toMatchObject({
      code: "CLUSTER_UNAUTHENTICATED",
      message: "the API server does not accept the credentials: Unauthorized",
      hint: expect.stringContaining("kubectl auth whoami"),
    });
    expect(cluster.api.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test("403, with what to grant", async () => {
    const message =
      'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "spark-jobs"';
    const error = await caught(submitTo(await answering({ status: 403, reason: "Forbidden", message })));
    expect(error).toMatchObject({
      code: "CLUSTER_FORBIDDEN",
      message,
      hint: "correct the namespace, or let an administrator grant it: kindling rbac submitter -n spark-jobs --user=jane | kubectl apply -f -",
    });
  });

  test("404 of the namespace", async () => {
    const message = 'namespaces "nowhere" not found';
    const error = await caught(submitTo(await TestCluster.start(), { namespace: "nowhere" }));
    expect(error).toMatchObject({
      code: "OBJECT_NOT_FOUND",
      message,
      hint: "correct -n or spark.kubernetes.namespace, or make it: kubectl create namespace nowhere",
    });
  });

  test("404 of a path that the server does not serve", async () => {
    const cluster = await TestCluster.start();
    const conf = {
      "spark.kubernetes.driver.pod.featureSteps": "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep",
    };
    const error = await caught(submitTo(cluster, { conf }));
    expect(error.code).toBe("OBJECT_NOT_FOUND");
    expect(error.message).toMatch(/^PATCH \/apis\/scheduling\.volcano\.sh\/v1beta1\/.*: 404: 404 page not found$/);
    expect(error.hint).toContain("CustomResourceDefinition");
  });

  test("404 of a kind that the server does not know", async () => {
    const cluster = await TestCluster.start();
    const step: Step = {
      name: "claim",
      configureDriver: (spec) => ({
        ...spec,
        preKubernetesResources: [{ apiVersion: "example.com/v1", kind: "Claim", metadata: { name: "c" } }],
      }),
    };
    const error = await caught(submitTo(cluster, { steps: [step] }));
    expect(error).toMatchObject({
      code: "OBJECT_NOT_FOUND",
      hint: expect.stringContaining("CustomResourceDefinition"),
    });
    expect(error.message).toBe('the API server knows no kind "Claim" in example.com/v1');
    expect(cluster.api.writes).toEqual([]);
  });

  test("409", async () => {
    const cluster = await TestCluster.start();
    const conf = { "spark.kubernetes.driver.pod.name": "the-driver" };
    await submitTo(cluster, { conf });
    const error = await caught(submitTo(cluster, { conf }));
    expect(error).toMatchObject({
      code: "OBJECT_CONFLICT",
      message: 'pods "the-driver" already exists',
      hint: expect.stringContaining("spark.kubernetes.driver.pod.name"),
    });
  });

  test("422, with the fields, each once", async () => {
    const details = {
      causes: [
        { field: "spec.containers[0].image", reason: "FieldValueRequired", message: "Required value" },
        { field: "metadata.labels", reason: "FieldValueInvalid", message: 'Invalid value: "a b"' },
      ],
    };
    const spoken =
      'Pod "x" is invalid: [spec.containers[0].image: Required value,\n metadata.labels: Invalid value: "a b"]';
    const full = await caught(submitTo(await answering({ status: 422, reason: "Invalid", message: spoken, details })));
    expect(full).toMatchObject({
      code: "OBJECT_INVALID",
      message: 'Pod "x" is invalid: [spec.containers[0].image: Required value, metadata.labels: Invalid value: "a b"]',
      hint: undefined,
    });
    const terse = await caught(submitTo(await answering({ status: 422, reason: "Invalid", message: "no", details })));
    expect(terse).toMatchObject({
      message: "no",
      hint: 'spec.containers[0].image: Required value; metadata.labels: Invalid value: "a b"',
    });
  });

  test("anything else, with the request", async () => {
    const error = await caught(submitTo(await answering({ status: 418, message: "a teapot" }), { conf: ALONE }));
    expect(error.code).toBe("CLUSTER_REFUSED");
    expect(error.message).toMatch(/^POST \/api\/v1\/namespaces\/spark-jobs\/pods: 418: a teapot$/);
  });
});

describe("a cluster that cannot be spoken with becomes an error for the user", () => {
  test("where nobody listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const error = await caught(submitTo({ url }));
    expect(error.code).toBe("CLUSTER_UNREACHABLE");
    expect(error.message).toContain(`cannot reach ${url}: connection refused`);
    expect(error.hint).toContain("check --master");
  });

  test("where somebody listens and says nothing", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const conf = { "spark.kubernetes.submission.requestTimeout": "200" };
    const error = await caught(submitTo({ url }, { conf }));
    expect(error.code).toBe("CLUSTER_UNREACHABLE");
    expect(error.message).toContain(`no answer from ${url} within 200 ms`);
  });

  test("not within a time of 0, which means that there is no limit", async () => {
    const cluster = await TestCluster.start();
    const conf = {
      "spark.kubernetes.submission.requestTimeout": "0",
      "spark.kubernetes.submission.connectionTimeout": "0",
    };
    await submitTo(cluster, { conf });
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });

  test("where the server's certificate is of an unknown authority; with that authority's file it goes", async () => {
    const authority = testAuthority("the cluster's");
    const cluster = await TestCluster.start({ tls: authority.issue("server") });
    const error = await caught(submitTo(cluster));
    expect(error.code).toBe("CLUSTER_UNREACHABLE");
    expect(error.message).toContain("the server's certificate is signed by an unknown authority");
    expect(error.hint).toContain("certificate-authority");
    expect(cluster.api.requests).toEqual([]);

    const ca = scratchFolder().write("ca.crt", authority.cert);
    await submitTo(cluster, { conf: { "spark.kubernetes.authenticate.submission.caCertFile": ca } });
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });

  test("where the client certificate has expired", async () => {
    const authority = testAuthority("the cluster's");
    const cluster = await TestCluster.start({ tls: authority.issue("server") });
    cluster.api.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized", message: "Unauthorized" });
    const { cert, key } = authority.issue("jane", { expired: true });
    const folder = scratchFolder({ "ca.crt": authority.cert, "jane.crt": cert, "jane.key": key });
    const prefix = "spark.kubernetes.authenticate.submission";
    const conf = {
      [`${prefix}.caCertFile`]: `${folder.path}/ca.crt`,
      [`${prefix}.clientCertFile`]: `${folder.path}/jane.crt`,
      [`${prefix}.clientKeyFile`]: `${folder.path}/jane.key`,
    };
    const error = await caught(submitTo(cluster, { conf }));
    expect(error.code).toMatch(/^CLUSTER_/);
    expect(error.message).toContain(
      `the client certificate file ${folder.path}/jane.crt expired on 2020-01-02T00:00:00.000Z`,
    );
    expect(error.hint).toContain("client certificate");
  });
});

describe("a kubeconfig with a fault is an error that names it", () => {
  const submitWith = (kubeconfig: string, entries: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const conf = { "spark.kubernetes.container.image": "apache/spark:4.3.0", ...entries };
    const outside = { ...systemOutside(), env: { ...bareEnv(), KUBECONFIG: kubeconfig }, cwd: "/" };
    return submit({ application: APP, conf }, { access: "this-machine", outside });
  };

  test.each([
    ["broken YAML", "a: [1,\nb: 2\n"],
    ["no YAML at all", "\u0000\u0001"],
    ["a list", "[]"],
    ["a context without its cluster", "current-context: a\ncontexts: [{name: a, context: {cluster: b}}]\n"],
  ])("%s", async (_, text) => {
    const path = scratchFolder().write("config", text);
    const error = await caught(submitWith(path));
    expect(error.code).toBe("KUBECONFIG_INVALID");
    expect(error.message).toContain(path);
    expect(error.message).not.toContain("\n");
  });

  test("none at all, and no --master", async () => {
    const error = await caught(submitWith("/nonexistent/config"));
    expect(error).toMatchObject({
      code: "KUBECONFIG_INVALID",
      message: expect.stringContaining("/nonexistent/config"),
    });
    expect(error.hint).toContain("KUBECONFIG");
  });

  test("an unknown context, with those that there are", async () => {
    const path = kubeconfigFor({ url: "https://127.0.0.1:1" });
    const error = await caught(submitWith(path, { "spark.kubernetes.context": "prod" }));
    expect(error.message).toContain('context "prod" is not in');
    expect(error.hint).toContain('"stub"');
  });

  test("a plug-in that fails, without what it printed of secrets", async () => {
    const folder = scratchFolder();
    const plugin = folder.writeScript("login", `echo '{"token": "${TOKEN}"}'; echo 'no such user' >&2; exit 3`);
    const user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: plugin, interactiveMode: "Never" } };
    const path = kubeconfigFor({ url: "https://127.0.0.1:1" }, user);
    const error = await caught(submitWith(path));
    expect(error.code).toBe("CLUSTER_UNAUTHENTICATED");
    expect(error.message).toContain(plugin);
    expect(`${error.message} ${error.hint}`).not.toContain(TOKEN);
  });
});

test("a token and a token file exclude each other", async () => {
  const cluster = await TestCluster.start();
  const conf = {
    "spark.kubernetes.authenticate.submission.oauthToken": TOKEN,
    "spark.kubernetes.authenticate.submission.oauthTokenFile": "/token",
  };
  const error = await caught(submitTo(cluster, { conf }));
  expect(error.code).toBe("CONF_CONFLICT");
  expect(error.message).toContain("spark.kubernetes.authenticate.submission.oauthTokenFile");
  expect(error.message).not.toContain(TOKEN);
  expect(cluster.api.requests).toEqual([]);
});
