import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialRoute, insecureUris } from "../../src/caller/credential-route.ts";

const route = (uri: string, ...allowed: string[]): string => credentialRoute(new URL(uri), insecureUris(allowed));
const refused = expect.objectContaining({ fault: "insecure" }) as unknown;

describe("where credentials may go", () => {
  test.each([
    ["https://staging.example", "tls"],
    ["https://10.0.0.1:10000/", "tls"],
    ["http://127.0.0.1:10000/", "loopback"],
    ["http://127.99.1.2/", "loopback"],
    ["http://127.1/", "loopback"],
    ["http://[::1]:10000/", "loopback"],
    ["http://localhost:10000/", "localhost"],
    ["HTTP://LOCALHOST/", "localhost"],
  ])("%s: %s", (uri, wanted) => {
    expect(route(uri)).toBe(wanted);
  });

  test.each([
    "http://staging.example:10000/",
    "http://0.0.0.0:10000/",
    "http://10.0.0.1/",
    "http://128.0.0.1/",
    "http://127.0.0.1.example/",
    "http://localhost.example/",
    "http://localhost./",
    "http://my.localhost/",
    "http://[::]/",
    "http://[::2]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1]/",
  ])("%s: nowhere", (uri) => {
    expect(() => route(uri)).toThrow(refused);
  });

  test("the refusal names the URI and both ways out", () => {
    expect(() => route("http://staging.example:10000/a/")).toThrow(
      expect.objectContaining({
        message: "credentials are not sent to http://staging.example:10000/a/ over plain HTTP",
        hint: "give an https URI, or allow http://staging.example:10000/a/ for credentials",
      }),
    );
  });
});

describe("a URI that is allowed", () => {
  test.each([
    ["http://staging.example:10000", "http://staging.example:10000/"],
    ["http://STAGING.example:10000/", "http://staging.example:10000"],
    ["http://staging.example:80/", "http://staging.example/"],
    ["http://staging.example", "http://staging.example:80/kindling/"],
    ["http://staging.example/a", "http://staging.example/a/"],
    ["http://staging.example/a/", "http://staging.example/a/b/"],
    ["http://staging.example/x/../a", "http://staging.example/a/b/"],
  ])("%s covers %s", (allowed, uri) => {
    expect(route(uri, "http://other.example", allowed)).toBe("allowed");
  });

  test.each([
    ["http://staging.example:10000", "http://staging.example:10001/"],
    ["http://staging.example", "http://staging.example:10000/"],
    ["http://staging.example", "http://a.staging.example/"],
    ["http://staging.example", "http://staging.example.evil/"],
    ["http://staging.example/a", "http://staging.example/"],
    ["http://staging.example/a", "http://staging.example/ab/"],
    ["http://staging.example/a", "http://staging.example/a/../b/"],
    ["http://staging.example/a", "http://staging.example/a/%2e%2e/b/"],
  ])("%s does not cover %s", (allowed, uri) => {
    expect(() => route(uri, allowed)).toThrow(refused);
  });

  test.each([
    "true",
    "*",
    "http://*",
    "http://*.example",
    "http://staging.example:*/",
    "//staging.example",
    "staging.example:10000",
    "http:staging.example",
    "https://staging.example",
    "ftp://staging.example",
    "http://user:password@staging.example",
    "http://staging.example/?x",
    "http://staging.example/#x",
    "",
  ])("%j is none", (text) => {
    expect(() => insecureUris([text])).toThrow(expect.objectContaining({ fault: "protocol" }));
  });

  test("covers no other host or port, whatever they are", () => {
    const host = fc
      .stringMatching(/^[a-z0-9]{1,10}(\.[a-z]{2,5}){1,2}$/)
      .filter((name) => URL.canParse(`http://${name}`));
    fc.assert(
      fc.property(host, host, fc.integer({ min: 1, max: 65535 }), fc.webPath(), (one, other, port, path) => {
        const allowed = `http://${one}:${port}/`;
        expect(route(`${allowed}p${path}`, allowed)).toBe("allowed");
        fc.pre(one !== other);
        expect(() => route(`http://${other}:${port}/p${path}`, allowed)).toThrow(refused);
      }),
    );
  });
});
