export type { Certificate, Statement } from "./certificate.ts";
export { CertificateAuthority, type CertificateRequest } from "./certificate-authority.ts";
export { keyStore } from "./key-store.ts";
export { derContent, derElements, DerError, readDer, type DerElement } from "./read-der.ts";
export { selfSigned } from "./self-signed.ts";
export { trustedCertificates } from "./trust-store.ts";
export { TrustStoreError } from "./trust-store-error.ts";
export { der, derOctets, derSequence } from "./write-der.ts";
