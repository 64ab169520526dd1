export type { Certificate, Statement } from "./certificate.ts";
export { CertificateAuthority, type CertificateRequest } from "./certificate-authority.ts";
export { keyStore } from "./key-store.ts";
export { selfSigned } from "./self-signed.ts";
export { der, derOctets, derSequence } from "./write-der.ts";
