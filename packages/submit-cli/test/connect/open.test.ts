import { once } from "node:events";
import {
  connect as connectHttp2,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { testAuthority } from "@kindling/test-kit/certificates";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { kindling, kubeconfigFor, startKindling } from "../fixtures/kindling-process.ts";

const PART_OF = { "app.kubernetes.io/part-of": "kindling" };
const SECURE = "sc://connect.example:443/;use_ssl=true";

let cluster: TestCluster;
let env: { KUBECONFIG: string; XDG_CACHE_HOME: string };

beforeEach(async () => {
  cluster = await TestCluster.start();
  // Port forwarding is no matter of the recorder.
  env = { KUBECONFIG: kubeconfigFor({ url: cluster.devCluster.url }), XDG_CACHE_HOME: scratchFolder().path };
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "kindling" } });
});

async function connect(...args: readonly string[]): ReturnType<typeof kindling> {
  return await kindling(["connect", ...args], { env });
}

/** The variables that a shell has after what the command has printed. */
async function variables(...args: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = await connect(...args, "--", "sh", "-c", "env");
  const pairs = stdout.split("\n").map((line) => /^(SPARK_REMOTE|GRPC_\w+)=(.*)$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1], pair[2]]])));
}

/** The service of the chart, and the pod behind it. */
async function installService(ports: readonly object[], containerPort = 15_002): Promise<void> {
  const labels = { "app.kubernetes.io/component": "connect", ...PART_OF };
  await cluster.send("POST", "/api/v1/namespaces/kindling/services", {
    metadata: { name: "kindling-connect", labels },
    spec: { selector: { app: "connect" }, ports },
  });
  const named = { name: "grpc", containerPort };
  await cluster.createPod(
    aPod("connect-0")
      .in("kindling")
      .labels({ app: "connect" })
      .container("connect", { ports: [named] })
      .build(),
  );
  await cluster.send("PATCH", "/api/v1/namespaces/kindling/pods/connect-0/status", {
    status: { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] },
  });
}

async function installation(data: Readonly<Record<string, string>>): Promise<void> {
  await cluster.send("POST", "/api/v1/namespaces/kindling/configmaps", {
    metadata: { name: "kindling", labels: PART_OF },
    data,
  });
}

describe("kindling connect", () => {
  test("prints what a shell sets, and for people where that leads", async () => {
    expect(await connect("--address", "sc://localhost:15002", "--profile", "small", "--queue", "etl.daily")).toEqual({
      code: 0,
      stdout: "export SPARK_REMOTE='sc://localhost:15002/;x-profile=small;x-queue=etl.daily';\n",
      stderr: expect.stringContaining("Spark Connect at sc://localhost:15002/;x-profile=small;x-queue=etl.daily\n"),
    });
  });

  test("connects as a service account, and shows its token to nobody but the client", async () => {
    const { stdout, stderr } = await connect("--address", SECURE, "--as-account", "spark", "--duration", "2h");
    const [, token = ""] =
      /^export SPARK_REMOTE='sc:\/\/connect\.example:443\/;use_ssl=true;token=([\w.-]+)';\n$/.exec(stdout) ?? [];
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
    expect(claims).toMatchObject({ aud: ["kindling-connect"], sub: "system:serviceaccount:spark-jobs:spark" });
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(7200);
    expect(stderr).toContain("as system:serviceaccount:spark-jobs:spark, until ");
    expect(stderr).not.toContain(token);
  });

  test("has the token of a file, and says nothing of it", async () => {
    const file = scratchFolder().write("token", "opaque+token=\n");
    const { stdout, stderr } = await connect("--address", SECURE, "--token-file", file, "-o", "json");
    expect(stderr).toBe("");
    const remote = "sc://connect.example:443/;use_ssl=true;token=opaque%2Btoken%3D";
    expect(JSON.parse(stdout)).toEqual({
      ...{ apiVersion: "connect.kindling/v1", kind: "Connection" },
      ...{ address: SECURE, host: "connect.example", port: 443, useSsl: true, token: "opaque+token=" },
      environment: { SPARK_REMOTE: remote },
    });
  });

  test("sends a token to a server of this machine without TLS in the way that clients of all versions know", async () => {
    const file = scratchFolder().write("token", "opaque");
    expect(await variables("--address", "sc://localhost", "--token-file", file)).toEqual({
      SPARK_REMOTE: "sc://localhost:15002/;authorization=Bearer%20opaque",
    });
  });

  test("runs a command with it, whose arguments and exit code are its own", async () => {
    const program = ["sh", "-c", 'echo "$SPARK_REMOTE" "$@"; exit 7', "sh", "--profile", "x"];
    expect(await connect("--address", "sc://localhost:1", "--", ...program)).toEqual({
      ...{ code: 7, stdout: "sc://localhost:1/ --profile x\n", stderr: "" },
    });
  });

  test("finds the address that the installation publishes, and trusts its certificates", async () => {
    const { cert } = testAuthority("the installation's authority");
    const uri = "sc://connect.example:443/;use_ssl=true";
    await installation({ "kindling.properties": `spark.kindling.connect.uri=${uri}\n`, "ca.crt": cert });
    const found = await variables("--profile", "small");
    expect(found["SPARK_REMOTE"]).toBe(`${uri};x-profile=small`);
    const { stdout } = await kindling(["connect", "--", "sh", "-c", 'cat "$GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"'], {
      env,
    });
    expect(stdout).toContain(cert.trim());
    // Those of public authorities, too.
    expect(stdout.split("BEGIN CERTIFICATE").length).toBeGreaterThan(50);
  });

  test("finds the chart's service, and says that it is reached from inside only", async () => {
    await installService([
      { name: "metrics", port: 8081 },
      { name: "spark-connect", port: 15_002 },
    ]);
    const { stdout, stderr } = await connect();
    expect(stdout).toBe("export SPARK_REMOTE='sc://kindling-connect.kindling.svc:15002/;use_ssl=true';\n");
    expect(stderr).toContain("note: kindling-connect.kindling.svc is reached from inside of the cluster only\n");
    expect(stderr).toContain("hint: --forward opens a way to it through the API server\n");
  });

  test("finds the load balancer of the chart's service", async () => {
    await installService([{ port: 443, appProtocol: "kubernetes.io/h2c" }]);
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    await cluster.send("PATCH", "/api/v1/namespaces/kindling/services/kindling-connect/status", { status });
    expect((await connect()).stdout).toBe("export SPARK_REMOTE='sc://192.0.2.7:443/';\n");
  });
});

describe("kindling connect --forward", () => {
  async function servedAt(server: Http2Server | Http2SecureServer): Promise<number> {
    server.on("stream", (stream: ServerHttp2Stream) => stream.end("Spark"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  /** What a client of this machine gets, by HTTP/2 without TLS. */
  async function answer(remote: string): Promise<string> {
    const session = connectHttp2(remote.replace("sc://", "http://").replace(/\/;.*$/, ""));
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":path": "/" }).setEncoding("utf8");
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  }

  async function forwarded(...args: readonly string[]): Promise<{ remote: string; said: () => Promise<string> }> {
    const running = startKindling(["connect", "--forward", ...args], { env });
    onTestFinished(() => void running.child.kill("SIGKILL"));
    const said = await running.saying("';\n");
    return {
      remote: /SPARK_REMOTE='([^']+)'/.exec(said)?.[1] ?? "",
      said: async () => {
        running.child.kill("SIGINT");
        return (await running.ended).stderr;
      },
    };
  }

  test("leads through the API server to a pod of the service, without TLS on this machine", async () => {
    const port = await servedAt(createServer());
    await installService([{ port: 15_002, targetPort: "grpc", appProtocol: "kubernetes.io/h2c" }], port);
    const { remote, said } = await forwarded("--port", "0", "--profile", "small");
    expect(remote).toMatch(/^sc:\/\/localhost:\d+\/;x-profile=small$/);
    expect(await answer(remote)).toBe("Spark");
    expect(await said()).toContain("It is open until Ctrl-C ends this.\n");
  });

  test("checks the certificate of the service", async () => {
    const authority = testAuthority("the installation's authority");
    const own = authority.issue("connect", { names: ["kindling-connect.kindling.svc"] });
    const port = await servedAt(createSecureServer(own));
    await installService([{ port: 15_002, targetPort: "grpc" }], port);
    const trusted = await forwarded("--port", "0", "--ca-file", scratchFolder().write("ca.crt", authority.cert));
    expect(trusted.remote).toMatch(/^sc:\/\/localhost:\d+\/$/);
    expect(await answer(trusted.remote)).toBe("Spark");

    const other = scratchFolder().write("ca.crt", testAuthority("another").cert);
    const stranger = await forwarded("--port", "0", "--ca-file", other);
    expect(await answer(stranger.remote)).toBe("");
    expect(await stranger.said()).toContain("note: kindling-connect at kindling-connect.kindling.svc is not trusted: ");
  });

  test("says that no pod is ready", async () => {
    await cluster.send("POST", "/api/v1/namespaces/kindling/services", {
      metadata: { name: "kindling-connect", labels: { "app.kubernetes.io/component": "connect", ...PART_OF } },
      spec: { selector: { app: "connect" }, ports: [{ port: 15_002 }] },
    });
    const { code, stderr } = await connect("--forward");
    expect(code).not.toBe(0);
    expect(stderr).toContain("service kindling-connect in namespace kindling has no pod that is ready\n");
  });
});

test.each<[readonly string[], string]>([
  [[], "no address of kindling-connect is known"],
  [["--address", "http://x"], "--address: it is no address of Spark Connect"],
  [["--address", "sc://x/;use_ssl=false", "--token-file", "/dev/null"], "--token-file /dev/null: it is empty"],
  [
    ["--address", "sc://x/;use_ssl=false", "--as-account", "spark"],
    "a token is sent with TLS only, and the address says use_ssl=false",
  ],
  [
    ["--address", "sc://x", "--as-account", "nobody"],
    "namespace spark-jobs has no service account nobody, and kindling-connect asks for its token",
  ],
  [
    ["--address", "sc://x", "--as-account", "spark", "--token-file", "x"],
    "--token-file and --as-account both name a token: give one of them",
  ],
  [
    ["--address", "sc://x", "--as-account", "spark", "--duration", "5m"],
    "--duration: an API server makes no token for less than 10m",
  ],
  [["--address", "sc://x", "--profile", "a b"], '--profile "a b": no profile has this name'],
  [["--address", "sc://x", "--forward"], "--forward: sc://x:15002/ is no service of the cluster"],
  [["--address", "sc://x", "--"], "which command? name it behind --, such as: kindling connect -- pyspark"],
  [["--address", "sc://x", "pyspark"], 'kindling connect takes no "pyspark" here'],
])("kindling connect %j says what is wrong", async (args, fault) => {
  const { code, stdout, stderr } = await connect(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`error: ${fault}\n`);
});
