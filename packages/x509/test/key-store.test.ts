import { spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kindling/outside";
import { describe, expect, onTestFinished, test } from "vitest";
import { keyStore, selfSigned } from "../src/index.ts";

const made = selfSigned(systemClock, systemRandom(), "spark", 30);
const store = keyStore(made, "a password", "spark");

test("a key store has no key in clear", () => {
  const { d = "" } = createPrivateKey(made.key).export({ format: "jwk" });
  expect(store.includes(new X509Certificate(made.certificate).raw)).toBe(true);
  expect(d).not.toBe("");
  expect(store.includes(Buffer.from(d, "base64url"))).toBe(false);
});

describe.skipIf(spawnSync("keytool", ["-help"]).status !== 0)("Java", () => {
  test("signs with the key, by its alias and with the password alone", () => {
    const folder = mkdtempSync(join(tmpdir(), "kindling-x509-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "store.p12");
    writeFileSync(file, store);
    const sign = (password: string) =>
      spawnSync("keytool", ["-certreq", "-alias", "spark", "-keystore", file, "-storepass", password], {
        encoding: "utf8",
      });
    expect(sign("a password").stdout).toContain("BEGIN NEW CERTIFICATE REQUEST");
    expect(sign("another").status).not.toBe(0);
  });
});
