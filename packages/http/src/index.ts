export { addressScope, type AddressScope } from "./addresses/address-scope.ts";
export { isWithin, type Reach } from "./addresses/reach.ts";
export { chunkQueue, type ChunkQueue } from "./answer/chunk-queue.ts";
export { countValues, hasAtMostValues, type JsonMeasure, measureJson } from "./answer/json-values.ts";
export { discardBody, readBeginning, readText, type Beginning, type ReadLimits } from "./answer/read-text.ts";
export { codeOf, connectionFault } from "./errors/connection-fault.ts";
export {
  httpError,
  isHttpError,
  type HttpError,
  type HttpErrorContext,
  type HttpFault,
  type TimeoutPhase,
  type TlsFaultReason,
} from "./errors/http-error.ts";
export { environmentProxies, withoutProxy, type ProxyChoice } from "./proxy/proxy-choice.ts";
export { parseProxy, shownProxy, type Proxy, type ProxyLogin, type ProxyScheme } from "./proxy/proxy.ts";
export { backoffMs, retrying, type Backoff, type RetryContext, type Verdict } from "./retry/retrying.ts";
export { hiding, hidingWhole, hideNothing, secretsIn, type Hide } from "./secrets/hide-secret.ts";
export type { HttpRequest, HttpResponse, RequestBody } from "./transport/http-request.ts";
export { httpTransport, type HttpTransport, type TransportOptions } from "./transport/http-transport.ts";
export type { TlsOptions } from "./transport/tls-options.ts";
