import { describe, expect, test } from "vitest";
import { CONFIG, kubeconfigHome } from "../fixtures/kubeconfig-home.ts";

describe("a kubeconfig", () => {
  test("gives server, namespace, TLS and credentials of its current context; relative paths count from its folder", async () => {
    const access = await kubeconfigHome().load();
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
    const access = await kubeconfigHome().load({ context: "prod" });
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
    const access = await kubeconfigHome(JSON.stringify(config)).load();
    expect(access).toMatchObject({ server: "http://127.0.0.1:8001" });
    expect(await access.credentials.current()).toEqual({});
  });

  test("may hold certificates as data", async () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const config = CONFIG.replace("certificate-authority: pki/ca.crt", `certificate-authority-data: ${base64("CA 2")}`)
      .replace("client-certificate: pki/ann.crt", `client-certificate-data: ${base64("CERT 2")}`)
      .replace("client-key: pki/ann.key", `client-key-data: ${base64("KEY 2")}`);
    const access = await kubeconfigHome(config).load();
    expect(access.tls.ca).toBe("CA 2");
    expect(await access.credentials.current()).toEqual({ clientCertificate: { cert: "CERT 2", key: "KEY 2" } });
  });

  test("may hold a user and password", async () => {
    const access = await kubeconfigHome(CONFIG.replace("token: the-token", "username: bob\n    password: pass")).load({
      context: "prod",
    });
    expect(await access.credentials.current()).toEqual({ authorization: `Basic ${btoa("bob:pass")}` });
  });

  test("may let its user act as another", async () => {
    const extra = "as-user-extra:\n      example.org/Scope: [view, edit]";
    const as = `as: carol\n    as-uid: u1\n    as-groups: [dev, ops]\n    ${extra}`;
    const access = await kubeconfigHome(CONFIG.replace("token: the-token", `token: the-token\n    ${as}`)).load({
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
