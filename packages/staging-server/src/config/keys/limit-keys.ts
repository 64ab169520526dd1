import { confType } from "@kindling/core-spec";
import { count, seconds, sizeBytes, type Settings } from "@kindling/service/settings";

const { list, oneOf } = confType;

/** The limits of the server, and of each client and namespace. */
export interface LimitConfig {
  readonly "limits.fileBytes": number;
  readonly "limits.bundleFiles": number;
  readonly "limits.oneShotBytes": number;
  readonly "limits.uploads": number;
  readonly "limits.uploadsPerClient": number;
  readonly "limits.downloads": number;
  readonly "limits.minRate": number;
  readonly "limits.minRateWindow": number;
  readonly "limits.writeStall": number;
  readonly "limits.headersTimeout": number;
  readonly "limits.receiveBuffer": number;
  readonly "limits.readBuffer": number;
  readonly "limits.connections": number | undefined;
  readonly "limits.connectionsPerClient": number | undefined;
  readonly "limits.requests": number | undefined;
  readonly "limits.strangerRate": number;
  readonly "limits.reviews": number;
  readonly "limits.failedReviews": number;
  readonly "limits.documentMemory": number | undefined;
  readonly "limits.memory": number | undefined;
  readonly "limits.memoryPerNamespace": number | undefined;
  readonly "limits.leasesPerNamespace": number;
  readonly "limits.openUploadsPerNamespace": number;
  readonly "limits.bundlesPerNamespace": number;

  readonly "quota.default": number;
  readonly "quota.namespaces": readonly string[];

  readonly "dedupe.scope": "namespace" | "server";
}

export const LIMIT_KEYS: Settings<LimitConfig> = {
  "limits.fileBytes": { type: sizeBytes, default: "20g", doc: "Largest file." },
  "limits.bundleFiles": { type: count, default: "4096", doc: "Most files of a bundle." },
  "limits.oneShotBytes": {
    type: sizeBytes,
    default: "8m",
    doc: "Clients send files up to this size in one request. They send larger files so that an upload can be resumed.",
  },
  "limits.uploads": {
    type: count,
    default: "128",
    doc: "Most uploads at once. Further clients have to try again later.",
  },
  "limits.uploadsPerClient": { type: count, default: "32", doc: "Most uploads at once of one subject or address." },
  "limits.downloads": {
    type: count,
    default: "512",
    doc: "Most downloads at once. Further clients have to try again later.",
  },
  "limits.minRate": {
    type: sizeBytes,
    default: "16k",
    doc:
      "Minimum rate of an upload, in bytes per second, measured over `limits.minRateWindow`. A slower upload is " +
      "ended.",
  },
  "limits.minRateWindow": {
    type: seconds,
    default: "30s",
    doc: "How long an upload may be slower than the minimum rate.",
  },
  "limits.writeStall": {
    type: seconds,
    default: "60s",
    doc:
      "How long a reader may take no byte; up to twice as long after it has taken many at once. A slow reader that " +
      "takes some bytes goes on. On Linux, what counts is what the reader has received; elsewhere, what the server " +
      "could send.",
  },
  "limits.headersTimeout": { type: seconds, default: "30s", doc: "How long a request's headers may take." },
  "limits.receiveBuffer": {
    type: sizeBytes,
    default: "4m",
    doc: "Memory for received bytes that wait for the store, all uploads together.",
  },
  "limits.readBuffer": {
    type: sizeBytes,
    default: "8m",
    doc: "Memory for large read buffers, all downloads together; slow readers get small ones.",
  },
  "limits.connections": {
    type: count,
    default: undefined,
    doc:
      "Most connections at once. When all are taken, one is closed for a newcomer: that of a stranger before that of " +
      "a known client, an idle one before a busy one, one of the client that has most. A known client's transfer " +
      "that goes on is never closed. Unset: what the limit of open files (`ulimit -n`) and the memory allow, at most " +
      "10 000. Never more than the limit of open files allows.",
  },
  "limits.connectionsPerClient": {
    type: count,
    default: undefined,
    doc: "Most connections at once from one address (of IPv6, one /64 network); unset: half of all.",
  },
  "limits.requests": {
    type: count,
    default: undefined,
    doc:
      "Most requests under way; one client can have half of them. A client is a subject, the namespace of a bundle " +
      "whose secret it has, or an address. Unset: as many as connections.",
  },
  "limits.strangerRate": {
    type: count,
    default: "100",
    doc:
      "How many requests without credentials one address may send in a second. All addresses together may send ten " +
      "times as many. The requests of five seconds may come at once. Above that, the connection is closed with the " +
      "answer.",
  },
  "limits.reviews": {
    type: count,
    default: "32",
    doc: "How many questions about tokens and rights the API server gets at once. One client can have half of them.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc:
      "How many tokens from one address the API server may refuse in a second; ten times as many from all addresses. " +
      "Above that, it is not asked about tokens that it has not accepted before. The tokens of ten seconds may come " +
      "at once.",
  },
  "limits.documentMemory": {
    type: sizeBytes,
    default: undefined,
    doc:
      "Memory for JSON documents that are received, processed or sent, for all requests together. One client can " +
      "have half of it. A document counts four times its length. Unset: an eighth of the memory, at most 256m, but " +
      "enough for two of the largest.",
  },
  "limits.memory": {
    type: sizeBytes,
    default: undefined,
    doc: "Estimated memory for leases, uploads and bundles; unset: an eighth of the memory that the process may have.",
  },
  "limits.memoryPerNamespace": {
    type: sizeBytes,
    default: undefined,
    doc: "The part of `limits.memory` that one namespace may have; unset: a quarter.",
  },
  "limits.leasesPerNamespace": { type: count, default: "1000", doc: "Most leases of one namespace." },
  "limits.openUploadsPerNamespace": {
    type: count,
    default: "1000",
    doc: "Most resumable uploads of one namespace that have begun and are not complete.",
  },
  "limits.bundlesPerNamespace": { type: count, default: "10000", doc: "Most bundles of one namespace." },

  "quota.default": {
    type: sizeBytes,
    default: "0",
    doc:
      "Bytes that a namespace may take in the store: distinct files, uploads that have begun, and documents, each in " +
      "blocks of 4 KiB. Files of deleted bundles may take as much again, until they are collected. 0: no limit.",
  },
  "quota.namespaces": {
    type: list,
    default: "",
    doc: "Quotas of single namespaces, as `namespace=size`. The first match counts. `*` stands for any characters.",
  },

  "dedupe.scope": {
    type: oneOf("namespace", "server"),
    default: "namespace",
    doc:
      "Which files the server may tell a client about. `namespace`: only those of its own namespace, so that nobody " +
      "can find out what others have. Storage is shared all the same. `server`: those of all namespaces.",
  },
};
