import { createPrivateKey, X509Certificate } from "node:crypto";
import { systemClock, systemRandom } from "@kindling/outside";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CertificateAuthority } from "../src/index.ts";

const DAY = 24 * 3600 * 1000;

const authority = new CertificateAuthority(systemClock, systemRandom(), "an authority");
const own = new X509Certificate(authority.certificate);

describe("a certificate of an authority", () => {
  test("for a server is for all of its hosts, whatever they are, and is signed by the authority", () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().filter((address) => !address.includes(".")),
    );
    fc.assert(
      fc.property(fc.uniqueArray(host, { minLength: 1, maxLength: 5 }), fc.string({ minLength: 1 }), (hosts, name) => {
        const issued = new X509Certificate(authority.issue({ kind: "server", commonName: name, hosts }).certificate);
        expect(issued.checkIssued(own)).toBe(true);
        expect(issued.verify(own.publicKey)).toBe(true);
        expect(issued.ca).toBe(false);
        for (const one of hosts) {
          const found = one.includes(":") || /^[\d.]+$/.test(one) ? issued.checkIP(one) : issued.checkHost(one);
          expect(found, one).toBeDefined();
        }
        expect(issued.checkHost("another.example.com")).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  test("for a client has its name and its groups", () => {
    const { certificate } = authority.issue({ kind: "client", commonName: "alice", organizations: ["a", "b"] });
    expect(new X509Certificate(certificate).subject).toBe("O=a\nO=b\nCN=alice");
  });

  test("of a peer is accepted from both sides, and any other from one", () => {
    const usesOf = (kind: "server" | "peer") =>
      new X509Certificate(authority.issue({ kind, commonName: "p", hosts: ["p"] }).certificate).keyUsage;
    expect(usesOf("server")).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(usesOf("peer")).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  test("fits its key", () => {
    const { certificate, key } = authority.issue({ kind: "client", commonName: "alice", organizations: [] });
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test.each([Date.UTC(1999, 0, 1), Date.UTC(2049, 11, 31), Date.UTC(2050, 0, 1), Date.UTC(2190, 5, 3)])(
    "is valid until it ends, in %i, too",
    (end) => {
      const issued = authority.issue({ kind: "server", commonName: "s", hosts: [], validity: [end - DAY, end] });
      const { validFrom, validTo } = new X509Certificate(issued.certificate);
      expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual([end - DAY, end]);
    },
  );
});
