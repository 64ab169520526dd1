import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { X509Certificate } from "node:crypto";
import { systemClock, systemRandom } from "@kindling/outside";
import { describe, expect, onTestFinished, test } from "vitest";
import { CertificateAuthority, keyStore, selfSigned, trustedCertificates, TrustStoreError } from "../src/index.ts";

const authority = new CertificateAuthority(systemClock, systemRandom(), "an authority").certificate;
const other = new CertificateAuthority(systemClock, systemRandom(), "another one").certificate;
const hasKeytool = spawnSync("keytool", ["-help"]).status === 0;

function namesIn(store: Buffer, password?: string): string[] {
  return trustedCertificates(store, password).map((pem) => new X509Certificate(pem).subject);
}

/** A store that Java's keytool makes. */
function madeByJava(certificates: readonly string[], ...options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "kindling-x509-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "store");
  certificates.forEach((certificate, at) => {
    const pem = join(folder, `${at}.pem`);
    writeFileSync(pem, certificate);
    const entry = ["-importcert", "-noprompt", "-alias", `ca${at}`, "-file", pem];
    const made = spawnSync("keytool", [...entry, "-keystore", file, "-storepass", "a password", ...options], {
      encoding: "utf8",
    });
    expect(made.status, made.stdout).toBe(0);
  });
  return readFileSync(file);
}

describe.skipIf(!hasKeytool)("of stores that keytool has made", () => {
  test.each([
    ["PKCS #12", "pkcs12"],
    ["JKS", "jks"],
  ])("the certificates are read: %s", (_, type) => {
    const store = madeByJava([authority, other], "-storetype", type);
    expect(namesIn(store, "a password").sort()).toEqual(["CN=an authority", "CN=another one"]);
    expect(() => trustedCertificates(store, "wrong")).toThrow(/^the password is not the store's/);
  });

  test("those that are not encrypted need no password", () => {
    const plain = "-J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE";
    expect(namesIn(madeByJava([authority], "-storetype", "pkcs12", plain))).toEqual(["CN=an authority"]);
    expect(namesIn(madeByJava([authority], "-storetype", "jceks"))).toEqual(["CN=an authority"]);
    expect(() => trustedCertificates(madeByJava([authority], "-storetype", "pkcs12"), undefined)).toThrow(
      "its certificates are encrypted, and no password is given",
    );
  });

  test("one of Java 8 says what to do", () => {
    const old = madeByJava([authority], "-storetype", "pkcs12", "-J-Dkeystore.pkcs12.legacy");
    expect(() => trustedCertificates(old, "a password")).toThrow(
      /^its certificates are encrypted with RC2, which Node cannot read; make it anew with keytool -importkeystore/,
    );
  });
});

test("a file in PEM, and a key store with its certificate", () => {
  expect(namesIn(Buffer.from(`# ours\n${authority}\n${other}`))).toEqual(["CN=an authority", "CN=another one"]);
  const store = keyStore(selfSigned(systemClock, systemRandom(), "spark", 1), "a password", "spark");
  expect(namesIn(store)).toEqual(["CN=spark"]);
});

test.each<[string, Buffer]>([
  ["nothing", Buffer.alloc(0)],
  ["a text", Buffer.from("ca.crt")],
  ["something else in DER", Buffer.from("3003020105", "hex")],
  ["a JKS that is cut", Buffer.from("feedfeed0000000200000001", "hex")],
  ["a broken certificate", Buffer.from("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")],
])("%s is no trust store, in one line", (_, bytes) => {
  expect(() => trustedCertificates(bytes, undefined)).toThrow(TrustStoreError);
  expect(() => trustedCertificates(bytes, undefined)).toThrow(/^it [^\n]+$/);
});
