import { confType } from "@kindling/core-spec";
import { count, seconds, sizeBytes } from "@kindling/settings";
import type { KeysOf } from "../keys-of.ts";

const { list, oneOf } = confType;

/** How much the server takes on, of whom. */
export const LIMIT_KEYS: KeysOf<"limits" | "quota" | "dedupe"> = {
  "limits.fileBytes": { type: sizeBytes, default: "20g", doc: "Largest file." },
  "limits.bundleFiles": { type: count, default: "4096", doc: "Most files of a bundle." },
  "limits.oneShotBytes": {
    type: sizeBytes,
    default: "8m",
    doc: "Clients send files up to this size in one request; larger ones so that they can be resumed.",
  },
  "limits.uploads": { type: count, default: "128", doc: "Most uploads at once; further ones are told to come back." },
  "limits.uploadsPerClient": { type: count, default: "32", doc: "Most uploads at once of one subject or address." },
  "limits.downloads": {
    type: count,
    default: "512",
    doc: "Most downloads at once; further ones are told to come back.",
  },
  "limits.minRate": {
    type: sizeBytes,
    default: "16k",
    doc: "Bytes per second below which an upload is ended, over `limits.minRateWindow`.",
  },
  "limits.minRateWindow": { type: seconds, default: "30s", doc: "How long an upload may be too slow." },
  "limits.writeStall": {
    type: seconds,
    default: "60s",
    doc:
      "How long a reader may take no byte; up to twice as long after it has taken many at once. However slow, one that " +
      "takes some goes on: Linux tells what the other side has taken; elsewhere what this side could send has to do.",
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
      "Most connections at once. When all are taken, a newcomer gets the place of the least deserving one: strangers " +
      "before known clients, idle before busy, of whoever has most; never of a known client's transfer that goes on. " +
      "Unset: what the limits of files (`ulimit -n`) and memory allow, at most 10 000; never more than the former does.",
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
      "Requests a second of one address to what needs no credentials, ten times as many from all, and five seconds' worth " +
      "at once. Beyond that the connection is closed with the answer.",
  },
  "limits.reviews": {
    type: count,
    default: "32",
    doc: "Most questions to the API server at once about tokens and rights; one client can have half of them.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc:
      "Tokens a second from one address that the API server may refuse; ten times as many from all. Beyond that it is not " +
      "asked about tokens that it has not accepted before. Ten seconds' worth may come at once.",
  },
  "limits.documentMemory": {
    type: sizeBytes,
    default: undefined,
    doc:
      "Memory for JSON documents that are received, worked on or sent, all requests together; one client can have half of " +
      "it. A document counts four times its length. Unset: an eighth of the memory, at most 256m, but enough for two of " +
      "the largest.",
  },
  "limits.memory": {
    type: sizeBytes,
    default: undefined,
    doc: "Memory for leases, uploads and bundles, by estimate; unset: an eighth of what the process may have.",
  },
  "limits.memoryPerNamespace": {
    type: sizeBytes,
    default: undefined,
    doc: "The part of it that one namespace may have; unset: a quarter.",
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
      "blocks of 4 KiB; as many again in files of deleted bundles, until these are collected; 0: no limit.",
  },
  "quota.namespaces": {
    type: list,
    default: "",
    doc: "Other quotas, as `namespace=size`; the first match counts, `*` stands for any characters.",
  },

  "dedupe.scope": {
    type: oneOf("namespace", "server"),
    default: "namespace",
    doc:
      "Whose files a client may be told about. `namespace`: only those of its own, so that nobody can find out what " +
      "others have; bytes are shared in storage all the same. `server`: everybody's.",
  },
};
