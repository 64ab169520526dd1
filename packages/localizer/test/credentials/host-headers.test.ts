import { expect, test } from "vitest";
import { headersFor, headersOfNetrc, parseHeadersFile, type HostHeaders } from "../../src/credentials/host-headers.ts";

function headers(document: unknown): HostHeaders {
  const parsed = parseHeadersFile(JSON.stringify(document));
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

const HEADERS = headers({
  "repo.example": { Authorization: "Bearer any-port" },
  "repo.example:8443": { Authorization: "Bearer 8443", "X-Api-Key": "k" },
  "default.example:443": { Authorization: "Bearer 443" },
  "http://plain.example:8080": { Authorization: "Bearer plain" },
  "[fd00::1]": { Authorization: "Bearer six" },
});

test.each([
  ["https://repo.example/x", "Bearer any-port"],
  ["https://REPO.example:9/x", "Bearer any-port"],
  ["https://repo.example:8443/x", "Bearer 8443"],
  ["https://default.example/x", "Bearer 443"],
  ["http://plain.example:8080/x", "Bearer plain"],
  ["https://[fd00::1]:7/x", "Bearer six"],
  ["http://repo.example/x", undefined],
  ["https://plain.example:8080/x", undefined],
  ["http://plain.example/x", undefined],
  ["https://default.example:444/x", undefined],
  ["https://evil-repo.example/x", undefined],
  ["https://repo.example.evil/x", undefined],
])("for %s it is %s", (url, authorization) => {
  expect(headersFor(HEADERS, new URL(url))?.["authorization"]).toBe(authorization);
});

test.each<[unknown, string]>([
  [[], "no JSON object"],
  [{ "https://h/path": {} }, "is no host"],
  [{ h: "Bearer topsecret" }, "h is no object of header fields"],
  [{ h: { "Bad Name": "topsecret" } }, "impossible name"],
  [{ h: { Authorization: "topsecret\r\nhost: evil" } }, "h has an impossible value for Authorization"],
  [{ h: { Authorization: 1 } }, "impossible value"],
])("%j is refused without showing a value", (document, problem) => {
  const parsed = parseHeadersFile(JSON.stringify(document));
  expect(parsed).toContain(problem);
  expect(parsed).not.toContain("topsecret");
});

test("a login of netrc becomes basic authentication, the first of a machine", () => {
  const parsed = headersOfNetrc([
    { machine: "h", login: "user", password: "pässword" },
    { machine: "h", login: "other", password: "x" },
  ]);
  expect(parsed).toEqual(
    new Map([["h", { authorization: `Basic ${Buffer.from("user:pässword").toString("base64")}` }]]),
  );
});
