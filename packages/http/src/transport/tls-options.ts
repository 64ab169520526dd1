/** Certificates as PEM texts. */
export interface TlsOptions {
  /** The trusted authorities, instead of Node's own list. */
  readonly ca?: string | readonly string[] | undefined;
  /** The client's certificate and key, if the server asks for one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name to request, which the server's certificate must have, if it is not the URL's host. */
  readonly servername?: string | undefined;
  /** Accepts any certificate: anybody on the way can read and change everything. */
  readonly insecureSkipVerify?: boolean | undefined;
}
