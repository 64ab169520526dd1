import { count, seconds, type Settings, sizeBytes } from "@kindling/service/settings";

/** Limits for connections and requests. Durations are in seconds. */
export interface LimitConfig {
  readonly "limits.connectionsPerClient": number | undefined;
  readonly "limits.headersTimeout": number;
  readonly "limits.minRate": number;
  readonly "limits.minRateWindow": number;
  readonly "limits.writeStall": number;
  readonly "limits.reviews": number;
  readonly "limits.failedReviews": number;
}

export const LIMIT_KEYS: Settings<LimitConfig> = {
  "limits.connectionsPerClient": {
    type: count,
    default: undefined,
    doc:
      "Most connections at once of one driver, and of all others from one address (of IPv6, one /64 network); unset: " +
      "half of all.",
  },
  "limits.headersTimeout": {
    type: seconds,
    default: "10s",
    doc: "How long a connection may take for the handshake of TLS, and a request for its headers.",
  },
  "limits.minRate": {
    type: sizeBytes,
    default: "16k",
    doc:
      "Minimum rate of a request's body, in bytes per second, measured over `limits.minRateWindow`. A slower request " +
      "is ended with its connection.",
  },
  "limits.minRateWindow": {
    type: seconds,
    default: "30s",
    doc: "How long a body may be slower than the minimum rate.",
  },
  "limits.writeStall": {
    type: seconds,
    default: "60s",
    doc: "How long a driver may go without reading a byte of an answer or a watch; up to twice as long after it has read many at once.",
  },
  "limits.reviews": {
    type: count,
    default: "32",
    doc:
      "How many questions about tokens without other evidence the API server gets at once. One address can have half " +
      "of them.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc:
      "How many tokens from one address the API server may refuse in a second; ten times as many from all addresses. " +
      "Above that, tokens that it has not accepted before wait for their turn. The tokens of ten seconds may come at " +
      "once.",
  },
};
