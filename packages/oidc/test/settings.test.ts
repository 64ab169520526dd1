import { load } from "@kindling/service/settings";
import { expect, test } from "vitest";
import { issuerSettings, OIDC_KEYS, type IssuerSettings } from "../src/settings.ts";

const PROGRAM = { name: "test", summary: "", prefix: "TEST", settings: OIDC_KEYS, examples: [] };
const read = (...args: readonly string[]): IssuerSettings | undefined =>
  issuerSettings(load(PROGRAM, { args, env: {}, readFile: () => "" }));

test("without an issuer there is none", () => {
  expect(read()).toBeUndefined();
});

test.each([
  [["--oidc-issuer-url", "http://idp.example"], /expected an https URL without query and fragment/],
  [["--oidc-issuer-url", "https://idp.example?x=1"], /expected an https URL/],
  [["--oidc-issuer-url", "https://user:pw@idp.example"], /expected an https URL/],
  [["--oidc-issuer-url", "idp.example"], /expected an https URL/],
  [["--oidc-issuer-url", "https://idp.example"], /oidc\.clientId is not set/],
  [["--oidc-client-id", "kindling"], /oidc\.issuerUrl is not set, and oidc\.clientId is of no use without an issuer/],
  [["--oidc-signing-algs", "RS256,HS256"], /expected some of RS256/],
  [["--oidc-signing-algs", "none"], /expected some of RS256/],
  [["--oidc-required-claim", "hd"], /expected claims such as hd=example\.org/],
  [
    ["--oidc-issuer-url", "https://a.b", "--oidc-client-id", "c", "--oidc-groups-prefix", "x"],
    /oidc\.groupsClaim is not/,
  ],
])("%j is refused", (args, says) => {
  expect(() => read(...args)).toThrow(says);
});
