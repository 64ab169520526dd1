import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { krb5Settings, type Krb5Settings } from "../../src/krb5-conf/krb5-settings.ts";
import { parseKrb5Conf } from "../../src/krb5-conf/parse-krb5-conf.ts";

/** @param files by path; krb5.conf is the first one */
function settingsOf(...files: readonly (readonly [string, string])[]): Krb5Settings {
  const byPath = new Map(files);
  return krb5Settings(
    parseKrb5Conf([files[0]?.[0] ?? ""], {
      readText: (path) => byPath.get(path),
      list: (folder) =>
        [...byPath.keys()]
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1))
          .sort(),
    }),
  );
}

const CONF = "/etc/krb5.conf";

it("reads realms, KDCs and domains", () => {
  const settings = settingsOf([
    CONF,
    `# a comment
[libdefaults]
 default_realm = EXAMPLE.COM
 dns_lookup_kdc = false
; another one
[realms]
 EXAMPLE.COM = {
  kdc = kdc1.example.com
  kdc = kdc2.example.com:8888
  kdc = tcp/kdc3.example.com
  kdc = [2001:db8::1]:88
  admin_server = kdc1.example.com
  auth_to_local_names = {
   a = b
  }
  kdc = 192.0.2.1
 }
 OTHER.ORG = { kdc = kdc.other.org }
[domain_realm]
 .example.com = EXAMPLE.COM
 example.com = EXAMPLE.COM
 nn.other.org = EXAMPLE.COM
 .other.org = OTHER.ORG
`,
  ]);
  expect(settings).toMatchObject({ defaultRealm: "EXAMPLE.COM", defaultCacheName: undefined, looksUpKdc: false });
  expect(settings.kdcs("EXAMPLE.COM")).toStrictEqual([
    { host: "kdc1.example.com", port: 88 },
    { host: "kdc2.example.com", port: 8888 },
    { host: "kdc3.example.com", port: 88 },
    { host: "2001:db8::1", port: 88 },
    { host: "192.0.2.1", port: 88 },
  ]);
  expect(settings.kdcs("OTHER.ORG")).toStrictEqual([{ host: "kdc.other.org", port: 88 }]);
  expect(settings.kdcs("NOWHERE")).toStrictEqual([]);
  expect(
    ["NN.Example.com", "example.com", "nn.other.org", "dn.other.org", "other.org", "nn"].map((host) =>
      settings.realmOf(host),
    ),
  ).toStrictEqual(["EXAMPLE.COM", "EXAMPLE.COM", "EXAMPLE.COM", "OTHER.ORG", undefined, undefined]);
});

it("takes KDCs behind a proxy for none", () => {
  const settings = settingsOf([CONF, "[realms]\nR = {\n kdc = https://kdc.example.com/KdcProxy\n}\n"]);
  expect(settings.kdcs("R")).toStrictEqual([]);
  expect(settings.proxies("R")).toStrictEqual(["https://kdc.example.com/KdcProxy"]);
});

it("takes the first of several values, and no later ones behind an asterisk", () => {
  const settings = settingsOf(
    [CONF, "[libdefaults]\ndefault_realm* = A\ndefault_realm = B\n[realms]\nA = {\nkdc* = a\n}\ninclude /more\n"],
    ["/more", "[libdefaults]\ndefault_realm = C\n[realms]\nA = {\nkdc = c\n}\n"],
  );
  expect(settings.defaultRealm).toBe("A");
  expect(settings.kdcs("A")).toStrictEqual([{ host: "a", port: 88 }]);
});

describe("files that people have published", () => {
  // github.com/jcmturner/gokrb5, issue 56: another reader found no realm in it.
  it("needs no blank line in front of a section", () => {
    const settings = settingsOf([
      CONF,
      `[libdefaults]
 dns_lookup_realm = true
 dns_lookup_kdc = true
 forwardable = true
 rdns = false

 default_ccache_name = FILE:/tmp/krb5cc_%{uid}


 default_realm = EXAMPLE.COM
[realms]
`,
    ]);
    expect(settings).toMatchObject({
      defaultRealm: "EXAMPLE.COM",
      defaultCacheName: "FILE:/tmp/krb5cc_%{uid}",
      looksUpKdc: true,
    });
  });

  // github.com/openjdk/jdk, pull request 25421: Java refused what is included behind a section's beginning.
  it("includes files anywhere, also inside of a section, and the same one twice", () => {
    const settings = settingsOf(
      [
        CONF,
        "[libdefaults]\ndefault_realm = R1\n[realms]\nR1 = {\n kdc = k1\ninclude /more\n kdc = k3\n}\ninclude /more\n",
      ],
      ["/more", "[realms]\nR1 = {\n kdc = k2\n}\nR2 = {\n kdc = k4\n}\n"],
    );
    expect(settings.kdcs("R1").map(({ host }) => host)).toStrictEqual(["k1", "k2", "k3", "k2"]);
    expect(settings.kdcs("R2").map(({ host }) => host)).toStrictEqual(["k4", "k4"]);
  });

  // github.com/freeipa/ansible-freeipa, issue 983, and github.com/RedHatInsights/insights-core, issue 4040: Red Hat's files
  // include a folder that includes another one, and an installer includes that one once more.
  it("includes folders of folders, indented, with a module between", () => {
    const settings = settingsOf(
      [
        CONF,
        `   includedir /etc/krb5.conf.d/
   includedir /var/lib/sss/pubconf/krb5.include.d/
   module /etc/krb5test.conf:residual

   [logging]
       default = FILE:/var/log/krb5libs.log
       kdc = FILE:/var/log/krb5kdc.log
`,
      ],
      ["/etc/krb5.conf.d/enable_sssd_conf_dir", "includedir /var/lib/sss/pubconf/krb5.include.d/\n"],
      ["/etc/krb5.conf.d/old.conf.rpmsave", "[libdefaults]\ndefault_realm = WRONG\n"],
      ["/etc/krb5.conf.d/.hidden.conf", "[libdefaults]\ndefault_realm = WRONG\n"],
      ["/var/lib/sss/pubconf/krb5.include.d/domain_realm_ipa", "[domain_realm]\n.ipa.test = IPA.TEST\n"],
    );
    expect(settings.defaultRealm).toBeUndefined();
    expect(settings.realmOf("nn.ipa.test")).toBe("IPA.TEST");
  });

  // github.com/leonceda/SEBC, security/labs/krb5.conf.md: no indentation, and RC4 alone, which is not used here.
  it("needs no indentation", () => {
    const settings = settingsOf([
      CONF,
      `[libdefaults]
default_realm = LEONCEDA.SG
dns_lookup_kdc = false
permitted_enctypes = arcfour-hmac
udp_preference_limit = 1
kdc_timeout = 3000
[realms]
LEONCEDA.SG = {
kdc = ip-172-31-5-113.eu-west-1.compute.internal
admin_server = ip-172-31-5-113.eu-west-1.compute.internal
}
`,
    ]);
    expect(settings.kdcs("LEONCEDA.SG")).toStrictEqual([
      { host: "ip-172-31-5-113.eu-west-1.compute.internal", port: 88 },
    ]);
  });

  // Some files have a section inside of a realm (v4_instance_convert).
  it("skips braces inside of a realm, tabs and Windows' line ends", () => {
    const settings = settingsOf([
      CONF,
      "\uFEFF[libdefaults]\r\n\tdefault_realm = MY.REALM\r\n\r\n[realms]\r\n\tMY.REALM = {\r\n\t\tv4_instance_convert = {\r\n\t\t\tkdc = no\r\n\t\t}\r\n\t\tkdc = MY.COMPUTER\r\n\t}\r\n",
    ]);
    expect(settings.kdcs("MY.REALM")).toStrictEqual([{ host: "MY.COMPUTER", port: 88 }]);
  });
});

it("ends for files that include themselves", () => {
  const settings = settingsOf([CONF, `include ${CONF}\n[libdefaults]\ndefault_realm = R\n`]);
  expect(settings.defaultRealm).toBe("R");
});

it("reads any text", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "[realms]",
      "[",
      "R = {",
      "}",
      "} kdc = a",
      "kdc = b",
      "= {",
      "*",
      "a = {{{",
      'x = "y',
      "R = { kdc = c",
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      expect(Array.isArray(settingsOf([CONF, lines.join("\n")]).kdcs("R"))).toBe(true);
    }),
  );
});
