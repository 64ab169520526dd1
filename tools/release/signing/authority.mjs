// @ts-check
// A stand-in for Fulcio, the authority whose certificates name a workflow: it speaks the protocol that cosign speaks, and
// believes everybody. It has no log of certificates.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { serveHere } from "../serve-here.mjs";

const ISSUER = "https://token.actions.githubusercontent.com";
/**
 * Who confirms identities to Fulcio, as its certificates name it twice: as plain bytes for programs that know only the older
 * form of signatures, and as a text (fulcio/docs/oid-info.md, 1.3.6.1.4.1.57264.1.1 and 1.3.6.1.4.1.57264.1.8).
 */
const ISSUERS = [
  `1.3.6.1.4.1.57264.1.1=DER:${Buffer.from(ISSUER).toString("hex")}`,
  `1.3.6.1.4.1.57264.1.8=ASN1:UTF8String:${ISSUER}`,
];
const P256 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** @typedef {{ publicKeyRequest: { publicKey: { content: string } } }} CertificateRequest */

/** @param {readonly string[]} args */
function openssl(...args) {
  execFileSync("openssl", args, { stdio: ["ignore", "pipe", "pipe"] });
}

/**
 * @param {string} folder for its files
 * @param {() => string} workflow the workflow that gets the certificates: its address with its branch
 * @returns {Promise<import("../serve-here.mjs").Served & { certificate: string }>} with the path of its own certificate
 */
export async function startAuthority(folder, workflow) {
  const [key, certificate] = [join(folder, "authority.key"), join(folder, "authority.pem")];
  const uses = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"];
  openssl(
    "req",
    "-x509",
    ...P256,
    "-keyout",
    key,
    "-out",
    certificate,
    "-subj",
    "/CN=authority",
    "-days",
    "2",
    ...uses,
  );
  const served = await serveHere((request, response) => {
    void certify(request).then(
      (pem) => response.end(JSON.stringify({ signedCertificateEmbeddedSct: { chain: { certificates: [pem] } } })),
      (/** @type {unknown} */ error) => response.writeHead(500).end(String(error)),
    );
  });
  return { ...served, certificate };

  /** @param {import("node:http").IncomingMessage} request */
  async function certify(request) {
    const { publicKeyRequest } = /** @type {CertificateRequest} */ (await json(request));
    const publicKey = join(folder, "leaf.pub");
    const extensions = join(folder, "leaf.cnf");
    const issued = join(folder, "leaf.pem");
    writeFileSync(publicKey, publicKeyRequest.publicKey.content);
    const lines = [
      "keyUsage=critical,digitalSignature",
      "extendedKeyUsage=codeSigning",
      `subjectAltName=critical,URI:${workflow()}`,
      ...ISSUERS,
    ];
    writeFileSync(extensions, `${lines.join("\n")}\n`);
    const serial = `0x${randomBytes(8).toString("hex")}`;
    const by = ["-CA", certificate, "-CAkey", key, "-set_serial", serial, "-days", "1", "-extfile", extensions];
    openssl("x509", "-new", "-force_pubkey", publicKey, "-subj", "/", ...by, "-out", issued);
    return readFileSync(issued, "utf8");
  }
}
