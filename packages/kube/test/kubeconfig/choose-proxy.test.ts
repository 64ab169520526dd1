import { describe, expect, test } from "vitest";
import { chooseProxy, isExempt } from "../../src/kubeconfig/choose-proxy.ts";

const SERVER = "https://api.example.com:6443";

describe("the proxy for a server", () => {
  test.each([
    ["none", SERVER, undefined, {}, undefined],
    [
      "the environment's for https",
      SERVER,
      undefined,
      { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://q:1" },
      "http://p:1",
    ],
    ["the environment's in lower case", SERVER, undefined, { https_proxy: "http://p:1" }, "http://p:1"],
    [
      "the environment's for http",
      "http://api.example.com",
      undefined,
      { HTTP_PROXY: "http://q:1", HTTPS_PROXY: "http://p:1" },
      "http://q:1",
    ],
    ["the environment's without a scheme", SERVER, undefined, { HTTPS_PROXY: "p:1" }, "http://p:1"],
    ["none for an exempt server", SERVER, undefined, { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com" }, undefined],
    [
      "the cluster's own, whatever is exempt",
      SERVER,
      "socks5://s:1",
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" },
      "socks5://s:1",
    ],
    ["none on this machine", "https://127.0.0.1:6443", undefined, { HTTPS_PROXY: "http://p:1" }, undefined],
  ])("%s", (_what, server, proxyUrl, env, expected) => {
    expect(chooseProxy(server, proxyUrl, "cluster c", env)).toBe(expected);
  });

  test("that cannot be used is refused without telling its password", () => {
    const choose = (): unknown => chooseProxy(SERVER, "gopher://ann:secret@p", "cluster c", {});
    expect(choose).toThrow("proxy-url of cluster c has the scheme gopher");
    expect(choose).not.toThrow("secret");
  });
});

test.each([
  ["api.example.com", "443", "example.com", true],
  ["api.example.com", "443", ".example.com", true],
  ["example.com", "443", ".example.com", false],
  ["example.com", "443", "*.example.com", false],
  ["badexample.com", "443", "example.com", false],
  ["API.Example.com", "443", "other, api.example.COM ", true],
  ["api.example.com", "443", "api.example.com:443", true],
  ["api.example.com", "443", "api.example.com:6443", false],
  ["anything", "443", "*", true],
  ["10.1.2.3", "443", "10.1.0.0/16", true],
  ["10.2.2.3", "443", "10.1.0.0/16", false],
  ["10.1.2.3", "443", "10.1.2.3", true],
  ["10.1.2.3", "443", "1.2.3", false],
  ["[fd00::1]", "443", "fd00::/8", true],
  ["[fe00::1]", "443", "fd00::/8", false],
  ["[fd00::1]", "443", "fd00::1", true],
  ["[fd00::1]", "443", "[fd00::1]:443", true],
  ["10.1.2.3", "443", "fd00::/8", false],
  ["localhost", "443", "", true],
  ["[::1]", "443", "", true],
])("%s port %s with NO_PROXY=%s: exempt is %s", (host, port, noProxy, expected) => {
  expect(isExempt(host, port, noProxy)).toBe(expected);
});
