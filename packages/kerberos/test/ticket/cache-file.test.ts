import { expect, it } from "vitest";
import { caughtFrom } from "@kindling/test-kit/caught";
import { krb5Settings } from "../../src/krb5-conf/krb5-settings.ts";
import { parseKrb5Conf } from "../../src/krb5-conf/parse-krb5-conf.ts";
import { cacheFile } from "../../src/ticket/cache-file.ts";

function found(
  name: string | undefined,
  { configured, files = {} }: { configured?: string; files?: Readonly<Record<string, string>> } = {},
): string {
  const text = configured === undefined ? "" : `[libdefaults]\ndefault_ccache_name = ${configured}\n`;
  const settings = krb5Settings(parseKrb5Conf(["/etc/krb5.conf"], { readText: () => text, list: () => [] }));
  const readFile = (path: string): Buffer | undefined =>
    files[path] === undefined ? undefined : Buffer.from(files[path]);
  return cacheFile({ env: { KRB5CCNAME: name }, settings, user: { uid: 1001, name: "alice" }, readFile });
}

it.each<[string | undefined, string]>([
  [undefined, "/tmp/krb5cc_1001"],
  ["", "/tmp/krb5cc_1001"],
  ["/home/alice/cache", "/home/alice/cache"],
  // As pam_krb5 and sshd name it: github.com/LucaCanali/Miscellaneous, Spark_Executors_Kerberos_HowTo.md.
  ["FILE:/tmp/krb5cc_1001_Ve9jN3", "/tmp/krb5cc_1001_Ve9jN3"],
  ["file:/tmp/cache", "/tmp/cache"],
  ["DIR:/run/user/1001/krb5cc", "/run/user/1001/krb5cc/tkt"],
  ["DIR::/run/user/1001/krb5cc/tktXyZ", "/run/user/1001/krb5cc/tktXyZ"],
])("finds the cache that KRB5CCNAME=%s names", (name, path) => {
  expect(found(name)).toBe(path);
});

it("takes the primary cache of a folder", () => {
  expect(found("DIR:/run/krb5cc", { files: { "/run/krb5cc/primary": "tktAbCd\n" } })).toBe("/run/krb5cc/tktAbCd");
});

it.each([
  ["FILE:/tmp/krb5cc_%{uid}", "/tmp/krb5cc_1001"],
  ["FILE:%{TEMP}/of-%{username}", "/tmp/of-alice"],
  ["/var/scratch/krbcache", "/var/scratch/krbcache"],
])("takes %s of krb5.conf", (configured, path) => {
  expect(found(undefined, { configured })).toBe(path);
  expect(found("FILE:/mine", { configured })).toBe("/mine");
});

it("takes the usual file beside a cache that is in no file, because Java does", () => {
  const configured = "KEYRING:persistent:%{uid}";
  expect(found(undefined, { configured, files: { "/tmp/krb5cc_1001": "" } })).toBe("/tmp/krb5cc_1001");
});

it.each([
  ["KCM:1001", "KRB5CCNAME: a ticket cache of the kind KCM cannot be read"],
  ["KEYRING:persistent:1001", "KRB5CCNAME: a ticket cache of the kind KEYRING cannot be read"],
  ["MEMORY:x", "KRB5CCNAME: a ticket cache of the kind MEMORY cannot be read"],
])("refuses %s, with a way out", (name, message) => {
  expect(caughtFrom(() => found(name))).toMatchObject({
    code: "KERBEROS_FAILED",
    message,
    hint: "put a ticket into a file: kinit -c FILE:/tmp/krb5cc_1001, and set KRB5CCNAME to the same",
  });
});

it("refuses such a cache of krb5.conf", () => {
  expect(caughtFrom(() => found(undefined, { configured: "KCM:" }))).toMatchObject({
    message: "default_ccache_name in krb5.conf: a ticket cache of the kind KCM cannot be read",
  });
});
