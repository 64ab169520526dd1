import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadClusterAccess, type ClusterAccess, type LoadOptions } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";

const CONFIG = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev-cluster
  cluster:
    server: https://dev.example.com:6443/prefix/
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
- name: prod-cluster
  cluster:
    server: https://prod.example.com
    insecure-skip-tls-verify: true
contexts:
- name: dev
  context: {cluster: dev-cluster, user: ann, namespace: team-a}
- name: prod
  context: {cluster: prod-cluster, user: bob}
users:
- name: ann
  user:
    client-certificate: pki/ann.crt
    client-key: pki/ann.key
- name: bob
  user:
    token: the-token
`;

function setUp(config: string = CONFIG): ScratchFolder & { load(options?: LoadOptions): Promise<ClusterAccess> } {
  const folder = scratchFolder();
  folder.write(".kube/config", config);
  folder.write(".kube/pki/ca.crt", "CA");
  folder.write(".kube/pki/ann.crt", "CERT");
  folder.write(".kube/pki/ann.key", "KEY");
  return {
    ...folder,
    load: (options = {}) =>
      loadClusterAccess({ env: {}, homeDir: folder.path, serviceAccountDir: join(folder.path, "none"), ...options }),
  };
}

describe("a kubeconfig", () => {
  test("gives server, namespace, TLS and credentials of its current context; relative paths count from its folder", async () => {
    const access = await setUp().load();
    expect(access).toMatchObject({
      origin: "kubeconfig",
      server: "https://dev.example.com:6443/prefix",
      namespace: "team-a",
      contextName: "dev",
      tls: { ca: "CA", servername: "kubernetes", insecureSkipVerify: false },
      proxy: undefined,
    });
    expect(await access.credentials.current()).toEqual({ clientCertificate: { cert: "CERT", key: "KEY" } });
  });

  test("gives those of the wanted context", async () => {
    const access = await setUp().load({ context: "prod" });
    expect(access).toMatchObject({
      server: "https://prod.example.com",
      namespace: undefined,
      tls: { ca: undefined, servername: undefined, insecureSkipVerify: true },
    });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer the-token" });
  });

  test("may be JSON", async () => {
    const config = {
      "current-context": "c",
      clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:8001" } }],
      contexts: [{ name: "c", context: { cluster: "c" } }],
    };
    const access = await setUp(JSON.stringify(config)).load();
    expect(access).toMatchObject({ server: "http://127.0.0.1:8001" });
    expect(await access.credentials.current()).toEqual({});
  });

  test("may hold certificates as data", async () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const config = CONFIG.replace("certificate-authority: pki/ca.crt", `certificate-authority-data: ${base64("CA 2")}`)
      .replace("client-certificate: pki/ann.crt", `client-certificate-data: ${base64("CERT 2")}`)
      .replace("client-key: pki/ann.key", `client-key-data: ${base64("KEY 2")}`);
    const access = await setUp(config).load();
    expect(access.tls.ca).toBe("CA 2");
    expect(await access.credentials.current()).toEqual({ clientCertificate: { cert: "CERT 2", key: "KEY 2" } });
  });

  test("may hold a user and password", async () => {
    const access = await setUp(CONFIG.replace("token: the-token", "username: bob\n    password: pass")).load({
      context: "prod",
    });
    expect(await access.credentials.current()).toEqual({ authorization: `Basic ${btoa("bob:pass")}` });
  });

  test("may let its user act as another", async () => {
    const extra = "as-user-extra:\n      example.org/Scope: [view, edit]";
    const as = `as: carol\n    as-uid: u1\n    as-groups: [dev, ops]\n    ${extra}`;
    const access = await setUp(CONFIG.replace("token: the-token", `token: the-token\n    ${as}`)).load({
      context: "prod",
    });
    expect(await access.credentials.current()).toEqual({
      authorization: "Bearer the-token",
      headers: {
        "impersonate-user": "carol",
        "impersonate-uid": "u1",
        "impersonate-group": ["dev", "ops"],
        "impersonate-extra-example.org%2Fscope": ["view", "edit"],
      },
    });
  });
});

describe("the files of KUBECONFIG", () => {
  test("are merged: the first one's word counts, entry by entry", async () => {
    const folder = setUp();
    const first = folder.write("first", `contexts:\n- name: dev\n  context: {cluster: prod-cluster, user: bob}\n`);
    const second = folder.write("second", `current-context: prod\nusers:\n- name: bob\n  user: {token: another}\n`);
    const env = { KUBECONFIG: [first, second, join(folder.path, ".kube/config"), "/no/such/file"].join(":") };
    const access = await folder.load({ env });
    expect(access).toMatchObject({ contextName: "prod", server: "https://prod.example.com" });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer another" });
    expect((await folder.load({ env, context: "dev" })).server).toBe("https://prod.example.com");
  });

  test("may all be empty or missing: then there is no kubeconfig", async () => {
    const folder = setUp();
    const env = { KUBECONFIG: `/dev/null:${folder.write("empty", "\n# nothing\n")}:/no/such/file` };
    const access = await folder.load({ env, overlays: { server: "https://api.example.com" } });
    expect(access).toMatchObject({ origin: "options", server: "https://api.example.com" });
    const error = await caught(folder.load({ env }));
    expect(error).toMatchObject({ kind: "config", hint: "set KUBECONFIG, or name the server" });
  });
});

describe("a pod's service account", () => {
  function inPod(): { folder: ReturnType<typeof setUp>; options: LoadOptions } {
    const folder = setUp();
    folder.write("sa/token", "pod-token\n");
    folder.write("sa/ca.crt", "POD CA");
    folder.write("sa/namespace", "spark\n");
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443", KUBECONFIG: "/dev/null" };
    return { folder, options: { env, serviceAccountDir: join(folder.path, "sa") } };
  }

  test("is used where there is no kubeconfig", async () => {
    const { folder, options } = inPod();
    const access = await folder.load(options);
    expect(access).toMatchObject({
      origin: "in-cluster",
      server: "https://[fd00::1]",
      namespace: "spark",
      tls: { ca: "POD CA", insecureSkipVerify: false },
    });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer pod-token" });
  });

  test("comes after a kubeconfig", async () => {
    const { folder, options } = inPod();
    expect((await folder.load({ ...options, env: { ...options.env, KUBECONFIG: "" } })).origin).toBe("kubeconfig");
  });

  test("goes along with a given server", async () => {
    const { folder, options } = inPod();
    const access = await folder.load({ ...options, overlays: { server: "https://kubernetes.default.svc/" } });
    expect(access).toMatchObject({ server: "https://kubernetes.default.svc", namespace: "spark" });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer pod-token" });
  });
});

describe("given options", () => {
  test("win over the kubeconfig, piece by piece", async () => {
    const folder = setUp();
    const overlays = {
      server: "https://other.example.com:6443",
      namespace: "mine",
      caFile: folder.write("ca", "CA 3"),
      certFile: folder.write("cert", "CERT 3"),
      keyFile: folder.write("key", "KEY 3"),
      token: "token 3",
    };
    const access = await folder.load({ overlays });
    expect(access).toMatchObject({
      server: "https://other.example.com:6443",
      namespace: "mine",
      contextName: "dev",
      // The name to check was for the other server.
      tls: { ca: "CA 3", servername: undefined, insecureSkipVerify: false },
    });
    expect(await access.credentials.current()).toEqual({
      authorization: "Bearer token 3",
      clientCertificate: { cert: "CERT 3", key: "KEY 3" },
    });
  });

  test("a token takes the place of the kubeconfig's certificate: it says who is calling", async () => {
    const access = await setUp().load({ overlays: { token: "mine" } });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer mine" });
  });

  test("a token file is read, and named when it cannot be", async () => {
    const folder = setUp();
    const good = await folder.load({ overlays: { tokenFile: folder.write("token", " from-file\n") } });
    expect(await good.credentials.current()).toEqual({ authorization: "Bearer from-file" });
    const bad = await folder.load({ overlays: { tokenFile: "/no/such/token" } });
    const error = await caught(Promise.resolve(bad.credentials.current()));
    expect(error.kind).toBe("credentials");
    expect(error.message).toContain("/no/such/token cannot be read (ENOENT)");
  });

  test("insecure switches all checks off", async () => {
    const access = await setUp().load({ overlays: { insecure: true } });
    expect(access.tls).toMatchObject({ ca: undefined, insecureSkipVerify: true });
  });

  test.each([
    [{ token: "a", tokenFile: "b" }, "both a token and a token file are given"],
    [{ certFile: "a" }, "a client certificate file is given without the client key file"],
    [{ keyFile: "a" }, "a client key file is given without the client certificate file"],
    [{ caFile: "/no/such/ca" }, "the CA file /no/such/ca cannot be read (ENOENT)"],
    [{ server: "api.example.com:6443" }, "the given server: the server is not an http or https URL"],
    [
      { server: "https://ann:secret@api.example.com" },
      "the given server: the server's URL must not hold a user or password",
    ],
  ])("that cannot be are refused: %j", async (overlays, message) => {
    const error = await caught(setUp().load({ overlays }));
    expect(error).toMatchObject({ kind: "config", message });
  });
});

describe("a kubeconfig at fault is named with its entry", () => {
  const cases: readonly (readonly [what: string, config: string, words: string])[] = [
    ["bad syntax", "clusters: [\n  - }", "it is neither YAML nor JSON"],
    ["not a mapping", "- a\n- b\n", "it does not hold a kubeconfig"],
    ["clusters that are no list", "clusters: {}\n", "clusters must be a list"],
    ["an entry without a name", "clusters:\n- cluster: {}\n", "clusters[0] has no name"],
    ["an entry twice", CONFIG.replace("name: bob", "name: ann"), 'there are two of user "ann"'],
    ["no current context", CONFIG.replace("current-context: dev", ""), "no context is current"],
    [
      "a context that is not there",
      CONFIG.replace("current-context: dev", "current-context: test"),
      'the current context "test" is not in',
    ],
    [
      "a cluster that is not there",
      CONFIG.replace("cluster: dev-cluster", "cluster: other"),
      'there is no cluster "other"',
    ],
    ["a user that is not there", CONFIG.replace("user: ann", "user: eve"), 'there is no user "eve"'],
    ["no server", CONFIG.replace(/server: https:\/\/dev.*/, ""), "it names no server"],
    [
      "a CA file that is not there",
      CONFIG.replace("pki/ca.crt", "pki/none.crt"),
      "pki/none.crt cannot be read (ENOENT)",
    ],
    [
      "CA data that is not base64",
      CONFIG.replace("certificate-authority: pki/ca.crt", "certificate-authority-data: '#!'"),
      "certificate-authority-data is not base64",
    ],
    [
      "a certificate without a key",
      CONFIG.replace("client-key: pki/ann.key", ""),
      "it has a client-certificate but no client-key",
    ],
    [
      "a CA that is not to be checked",
      CONFIG.replace("tls-server-name: kubernetes", "insecure-skip-tls-verify: true"),
      "it has both a certificate-authority and insecure-skip-tls-verify",
    ],
    [
      "a token that is a number",
      CONFIG.replace("client-certificate: pki/ann.crt", "token: 12345").replace("client-key: pki/ann.key", ""),
      "token must be text, not a number",
    ],
    [
      "a proxy-url that is none",
      CONFIG.replace("tls-server-name: kubernetes", "proxy-url: ftp://x"),
      "has the scheme ftp",
    ],
  ];

  test.each(cases)("%s", async (_what, config, words) => {
    const folder = setUp(config);
    const error = await caught(folder.load());
    expect(error.kind).toBe("config");
    expect(error.message).toContain(words);
    expect(`${error.message} ${error.kind === "config" ? error.file : ""}`).toContain(
      join(folder.path, ".kube/config"),
    );
  });

  test("with line and column where its syntax is wrong", async () => {
    const error = await caught(setUp("clusters:\n- name: 'a\n").load());
    expect(error.message).toMatch(/at line \d+, column \d+/);
    expect(error.message).not.toContain("\n");
  });

  test("a context that is asked for: the error tells which there are", async () => {
    const error = await caught(setUp().load({ context: "staging" }));
    expect(error.message).toContain('context "staging" is not in');
    expect(error.hint).toContain('"dev"');
    expect(error.hint).toContain('"prod"');
  });

  test("a context that is asked for without any kubeconfig", async () => {
    const error = await caught(setUp().load({ context: "dev", env: { KUBECONFIG: "/dev/null" } }));
    expect(error.message).toBe('context "dev" is asked for, and there is no kubeconfig (looked at /dev/null)');
  });

  test("a file that is asked for and is not there", async () => {
    const error = await caught(setUp().load({ kubeconfigPath: "/no/such/config" }));
    expect(error).toMatchObject({ kind: "config", file: "/no/such/config" });
  });
});
