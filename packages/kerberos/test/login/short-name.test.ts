import { caughtFrom } from "@kindling/test-kit/caught";
import { expect, it } from "vitest";
import { shortName } from "../../src/login/short-name.ts";

function nameOf(principal: string, rules: string, mechanism = "hadoop"): string {
  const [name = "", realm = ""] = principal.split("@");
  return shortName({ type: 1, parts: name.split("/"), realm }, { rules, defaultRealm: "EXAMPLE.COM", mechanism });
}

const RULES = `
  RULE:[1:$1@$0](.*@OTHER\\.ORG)s/@.*//
  RULE:[2:$1;$2](^.*;admin$)s/;admin$//
  RULE:[2:$1](nn|dn)s/.*/hdfs/
  RULE:[1:$1@$0](.*@UPPER)s/@.*///L
  DEFAULT`;

it.each([
  ["alice@EXAMPLE.COM", "DEFAULT", "alice"],
  ["hdfs/nn.example.com@EXAMPLE.COM", "DEFAULT", "hdfs"],
  ["alice@OTHER.ORG", RULES, "alice"],
  ["alice/admin@EXAMPLE.COM", RULES, "alice"],
  ["nn/host@EXAMPLE.COM", RULES, "hdfs"],
  ["Alice@UPPER", RULES, "alice"],
  ["bob@EXAMPLE.COM", RULES, "bob"],
  ["a.b.c@EXAMPLE.COM", "RULE:[1:$1]s/\\./_/g DEFAULT", "a_b_c"],
])("%s with %s is %s", (principal, rules, expected) => {
  expect(nameOf(principal, rules)).toBe(expected);
});

it("refuses a principal that no rule fits, as Hadoop does", () => {
  const error = caughtFrom(() => nameOf("alice@OTHER.ORG", "DEFAULT"));
  expect(error.message).toBe("hadoop.security.auth_to_local: alice@OTHER.ORG: no rule fits it");
  expect(caughtFrom(() => nameOf("alice@OTHER.ORG", "RULE:[1:$1@$0]")).message).toContain("no short name");
});

it("leaves it as it is with MIT's mechanism", () => {
  expect(nameOf("alice@OTHER.ORG", "DEFAULT", "MIT")).toBe("alice@OTHER.ORG");
  expect(nameOf("alice@OTHER.ORG", "RULE:[1:$1@$0]", "MIT")).toBe("alice@OTHER.ORG");
});

it.each(["RULE:[1]", "alice", "RULE:[1:$1](*)"])("refuses the rule %s", (rules) => {
  expect(caughtFrom(() => nameOf("alice@EXAMPLE.COM", rules)).code).toBe("CONF_INVALID");
});
