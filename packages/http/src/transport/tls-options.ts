/** Certificates as PEM texts. */
export interface TlsOptions {
  /** Whom to trust, instead of Node's own list. */
  readonly ca?: string | readonly string[] | undefined;
  /** This side's certificate and key, where the server asks for one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name to ask for, and that the server's certificate must have, where it is not the URL's host. */
  readonly servername?: string | undefined;
  /** Takes any certificate: whoever stands between can read and change everything. */
  readonly insecureSkipVerify?: boolean | undefined;
}
