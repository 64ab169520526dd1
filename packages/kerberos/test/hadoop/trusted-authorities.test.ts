import { caughtFrom } from "@kindling/test-kit/caught";
import { testAuthority } from "@kindling/test-kit/certificates";
import { hadoopSite } from "@kindling/test-kit/hadoop-site";
import { expect, it } from "vitest";
import { hadoopConfiguration } from "../../src/hadoop/hadoop-configuration.ts";
import { trustedAuthorities } from "../../src/hadoop/trusted-authorities.ts";

const { cert } = testAuthority("corporate");

function authorities(
  files: Readonly<Record<string, string>>,
  { store = cert, conf = {} }: { readonly store?: string; readonly conf?: Readonly<Record<string, string>> } = {},
): readonly string[] | undefined {
  return trustedAuthorities(hadoopConfiguration(new Map(Object.entries(conf))), {
    hadoopFile: (name) => files[name],
    readBytes(path) {
      if (path !== "/etc/ssl/trust.jks") throw new Error("it does not exist");
      return Buffer.from(store);
    },
  });
}

const LOCATION = "ssl.client.truststore.location";

it("are those of the store that ssl-client.xml names, also under another name of that file", () => {
  const named = hadoopSite({ [LOCATION]: "/etc/ssl/trust.jks" });
  expect(authorities({ "ssl-client.xml": named })).toEqual([cert]);
  const conf = { "hadoop.ssl.client.conf": "ours.xml" };
  expect(authorities({ "ours.xml": named }, { conf })).toEqual([cert]);
});

it("are Node's own without such a file, or without a store in it", () => {
  expect(authorities({})).toBeUndefined();
  expect(authorities({ "ssl-client.xml": hadoopSite({ [LOCATION]: "" }) })).toBeUndefined();
});

it.each([
  ["/none", {}, "it does not exist", "name a file that this process can read"],
  [
    "/etc/ssl/trust.jks",
    { store: "nothing" },
    "it is no trust store: PKCS #12, JKS and PEM can be read",
    "truststore.password",
  ],
])("says what is wrong with %s, without the password", (path, more, words, hint) => {
  const settings = { [LOCATION]: path, "ssl.client.truststore.password": "hunter2" };
  const error = caughtFrom(() => authorities({ "ssl-client.xml": hadoopSite(settings) }, more));
  expect(error).toMatchObject({
    code: "FILE_UNREADABLE",
    message: `ssl.client.truststore.location in ssl-client.xml: ${path}: ${words}`,
  });
  expect(error.hint).toContain(hint);
  expect(`${error.message}${error.hint}`).not.toContain("hunter2");
});
