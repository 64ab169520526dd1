/** A proxy that cannot be reached or does not do what it is asked; carries its address without any password. */
export class ProxyFailure extends Error {
  readonly code: string | undefined;
  readonly proxy: string;

  constructor(proxy: URL, message: string, cause?: Error & { readonly code?: string }) {
    super(message, { cause });
    this.code = cause === undefined ? "PROXY_REFUSED" : cause.code;
    this.proxy = `${proxy.protocol}//${proxy.host}`;
  }
}
