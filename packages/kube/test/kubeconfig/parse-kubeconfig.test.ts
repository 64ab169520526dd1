import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { caught } from "../fixtures/caught.ts";
import { CONFIG, kubeconfigHome } from "../fixtures/kubeconfig-home.ts";

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
    const folder = kubeconfigHome(config);
    const error = await caught(folder.load());
    expect(error.kind).toBe("config");
    expect(error.message).toContain(words);
    expect(`${error.message} ${error.kind === "config" ? error.file : ""}`).toContain(
      join(folder.path, ".kube/config"),
    );
  });

  test("with line and column where its syntax is wrong", async () => {
    const error = await caught(kubeconfigHome("clusters:\n- name: 'a\n").load());
    expect(error.message).toMatch(/at line \d+, column \d+/);
    expect(error.message).not.toContain("\n");
  });

  test("a context that is asked for: the error tells which there are", async () => {
    const error = await caught(kubeconfigHome().load({ context: "staging" }));
    expect(error.message).toContain('context "staging" is not in');
    expect(error.hint).toContain('"dev"');
    expect(error.hint).toContain('"prod"');
  });

  test("a context that is asked for without any kubeconfig", async () => {
    const error = await caught(kubeconfigHome().load({ context: "dev", env: { KUBECONFIG: "/dev/null" } }));
    expect(error.message).toBe('context "dev" is asked for, and there is no kubeconfig (looked at /dev/null)');
  });

  test("a file that is asked for and is not there", async () => {
    const error = await caught(kubeconfigHome().load({ kubeconfigPath: "/no/such/config" }));
    expect(error).toMatchObject({ kind: "config", file: "/no/such/config" });
  });
});
