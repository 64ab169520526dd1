import fc from "fast-check";
import { expect, test } from "vitest";
import { parseUrl } from "../../src/resources/parse-url.ts";

// The results of Go 1.26.
test.each([
  ["http://Host.example/a/b", "http", "Host.example", "/a/b", "http://Host.example/a/b"],
  ["HTTPS://h:8443", "https", "h:8443", "", "https://h:8443"],
  ["host/path", "", "", "host/path", "host/path"],
  ["host:8080/path", "host", "", "", "host:8080/path"],
  ["http://h/a%20b", "http", "h", "/a b", "http://h/a%20b"],
  ["http://h/a b", "http", "h", "/a b", "http://h/a%20b"],
  ["http://h/{{$x}}", "http", "h", "/{{$x}}", "http://h/%7B%7B$x%7D%7D"],
  ["http://h/!a", "http", "h", "/!a", "http://h/!a"],
  ["http://h/!a b", "http", "h", "/!a b", "http://h/%21a%20b"],
  ["http://h/ä", "http", "h", "/ä", "http://h/%C3%A4"],
  ["http://h/%2Fa", "http", "h", "//a", "http://h/%2Fa"],
  ["http://h?q=1#f", "http", "h", "", "http://h?q=1#f"],
  ["http://h/?", "http", "h", "/", "http://h/?"],
  ["http:////h/p", "http", "", "//h/p", "http:////h/p"],
  ["http:/p", "http", "", "/p", "http:/p"],
  ["http://", "http", "", "", "http:"],
  ["http://ä.de/", "http", "ä.de", "/", "http://%C3%A4.de/"],
  ["http://[::1]:80/a", "http", "[::1]:80", "/a", "http://[::1]:80/a"],
  ["//h/p", "", "h", "/p", "//h/p"],
  ["", "", "", "", ""],
])("%j has its parts", (given, scheme, host, path, text) => {
  expect(parseUrl(given)).toEqual({ scheme, host, path, text });
});

test.each([
  ["http://h\n", "net/url: invalid control character in URL"],
  [":8080/", "missing protocol scheme"],
  ["1.2.3.4:8080/", "first path segment in URL cannot contain colon"],
  ["http://a:80:90/", 'invalid port ":80:90" after host'],
  ["http://h:80a/", 'invalid port ":80a" after host'],
  ["http://[::1/", "missing ']' in host"],
  ["http://[::1]x/", 'invalid port "x" after host'],
  ["http://h i/", 'invalid character " " in host name'],
  ["http://h%41/", 'invalid URL escape "%41"'],
  ["http://h/%zz", 'invalid URL escape "%zz"'],
  ["http://h/%4", 'invalid URL escape "%4"'],
])("%j is no URL", (text, fault) => {
  expect(parseUrl(text)).toEqual({ fault });
});

test("who may log in is not said in a URL that everybody sees", () => {
  expect(parseUrl("http://user:word@h/")).toEqual({ fault: "net/url: user information in URL" });
});

test("any text is a URL or is refused, and what a URL is written as is the same URL", () => {
  const texts = fc
    .string({ unit: fc.constantFrom(...Array.from("htp:/?#[]%20{}@ a.-ä")) })
    .map((text) => `http://h/${text}`);
  fc.assert(
    fc.property(texts, (text) => {
      const url = parseUrl(text);
      expect("fault" in url ? url : parseUrl(url.text)).toEqual(url);
    }),
  );
});
