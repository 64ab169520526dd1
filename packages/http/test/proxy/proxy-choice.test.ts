import { describe, expect, test } from "vitest";
import { environmentProxies, isHttpError, shownProxy, withoutProxy } from "../../src/index.ts";

const SERVER = "https://api.example.com:6443";

describe("the proxy for a URL", () => {
  test.each([
    ["none", SERVER, {}, undefined],
    ["HTTPS_PROXY for https", SERVER, { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://q:1" }, "http://p:1"],
    ["that in lower case", SERVER, { https_proxy: "http://p:1" }, "http://p:1"],
    ["that in upper case before it", SERVER, { https_proxy: "http://q:1", HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    ["HTTP_PROXY for http", "http://a.example", { HTTP_PROXY: "http://q:1", HTTPS_PROXY: "http://p:1" }, "http://q:1"],
    ["ALL_PROXY without either", SERVER, { ALL_PROXY: "socks5h://s", HTTP_PROXY: "http://q:1" }, "socks5h://s:1080"],
    ["ALL_PROXY in lower case", SERVER, { all_proxy: "socks4a://s:2" }, "socks4a://s:2"],
    ["none where it is empty", SERVER, { HTTPS_PROXY: "", https_proxy: "" }, undefined],
    ["one without a scheme, of http", SERVER, { HTTPS_PROXY: "p:1" }, "http://p:1"],
    ["one without a port", SERVER, { HTTPS_PROXY: "https://[fd00::1]" }, "https://[fd00::1]:443"],
    ["none for an exempt server", SERVER, { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com" }, undefined],
    ["none for one exempt in lower case", SERVER, { HTTPS_PROXY: "http://p:1", no_proxy: "example.com" }, undefined],
    ["none on this machine", "https://127.0.0.1:6443", { HTTPS_PROXY: "http://p:1" }, undefined],
    [
      "none named by a request to a CGI script",
      "http://a.example",
      { HTTP_PROXY: "p:1", REQUEST_METHOD: "GET" },
      undefined,
    ],
    ["http_proxy in a CGI script", "http://a.example", { http_proxy: "p:1", REQUEST_METHOD: "GET" }, "http://p:1"],
  ])("%s", (_what, server, env, expected) => {
    const proxy = environmentProxies(env)(new URL(server));
    expect(proxy && shownProxy(proxy).replace(/^the proxy (\S+) .*$/, "$1")).toBe(expected);
  });

  test("is none where the environment is not to be looked at", () => {
    expect(withoutProxy(new URL(SERVER))).toBeUndefined();
  });

  test("has a login that no dump of it shows", () => {
    const proxy = environmentProxies({ HTTPS_PROXY: "http://ann:p%40ss@p:1" })(new URL(SERVER));
    expect(proxy?.login()).toEqual({ user: "ann", password: "p@ss" });
    expect(JSON.stringify(proxy)).not.toContain("p@ss");
    expect(proxy && shownProxy(proxy)).toBe("the proxy http://p:1 (HTTPS_PROXY)");
  });

  test.each([
    ["gopher://ann:secret@p", "HTTPS_PROXY: it has the scheme gopher"],
    ["http://ann:secret@p:port", "HTTPS_PROXY: it is not a URL"],
    ["http://ann:secret%@p", "HTTPS_PROXY: its user or password has a % that is no escape"],
    ["socks5://ann:secret@", "HTTPS_PROXY: it is not a URL"],
  ])("that cannot be used is refused without telling its password: %s", (value, message) => {
    let error: unknown;
    try {
      environmentProxies({ HTTPS_PROXY: value })(new URL(SERVER));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ kind: "options", message });
    expect(isHttpError(error) && JSON.stringify([error, error.hint, String(error.cause)])).not.toContain("secret");
  });

  test("does not matter as long as no URL needs it", () => {
    const proxies = environmentProxies({ HTTPS_PROXY: "gopher://p", NO_PROXY: "b.example" });
    expect(proxies(new URL("http://a.example"))).toBeUndefined();
    expect(proxies(new URL("https://b.example"))).toBeUndefined();
  });
});

test.each([
  ["https://api.example.com", "example.com", true],
  ["https://api.example.com", ".example.com", true],
  ["https://example.com", ".example.com", false],
  ["https://example.com", "*.example.com", false],
  ["https://example.com.", "example.com", true],
  ["https://badexample.com", "example.com", false],
  ["https://API.Example.com", "other, api.example.COM ", true],
  ["https://api.example.com", "other api.example.com", true],
  ["https://api.example.com", "api.example.com:443", true],
  ["https://api.example.com", "api.example.com:6443", false],
  ["https://api.example.com:6443", "api.example.com:6443", true],
  ["http://api.example.com", "api.example.com:80", true],
  ["https://anything", "*", true],
  ["https://anything", "a,*", true],
  ["https://10.1.2.3", "10.1.0.0/16", true],
  ["https://10.2.2.3", "10.1.0.0/16", false],
  ["https://10.1.2.3", "10.1.2.3", true],
  ["https://10.1.2.3", "10.1.2.3:443", true],
  ["https://10.1.2.3", "10.1.2.3:80", false],
  ["https://10.1.2.3", "1.2.3", false],
  ["https://10.1.2.3", "10.1.0.0/99", false],
  ["https://10.1.2.3", "10.1.0.0/", false],
  ["https://10.1.2.3", "example.com/8", false],
  ["https://[::ffff:10.1.2.3]", "10.1.0.0/16", true],
  ["https://[fd00::1]", "fd00::/8", true],
  ["https://[fe00::1]", "fd00::/8", false],
  ["https://[fd00::1]", "fd00::1", true],
  ["https://[fd00::1]", "[fd00::1]:443", true],
  ["https://10.1.2.3", "fd00::/8", false],
  ["https://localhost", "", true],
  ["https://cluster.localhost", "", true],
  ["https://127.8.0.1", "", true],
  ["https://[::1]", "", true],
])("%s with NO_PROXY=%s: exempt is %s", (url, noProxy, expected) => {
  const proxy = environmentProxies({ ALL_PROXY: "http://p:1", NO_PROXY: noProxy })(new URL(url));
  expect(proxy === undefined).toBe(expected);
});
