import type { Field, Fields } from "../hpack/static-table.ts";
import { writeMessage, type WrittenField } from "../protobuf/write-message.ts";
import { GRPC_CODES, type GrpcError } from "./grpc-status.ts";

/**
 * Tells a status, also with its details as Spark's clients read them: they find Spark's error class in the message of
 * `grpc-status-details-bin`, and wait as long as its `RetryInfo` says (pyspark, sql/connect/client/reattach.py and retries.py).
 */
export function statusTrailers({ code, message, sparkErrorClass, retryAfterMs }: GrpcError): Fields {
  const text = sparkErrorClass === undefined ? message : `[${sparkErrorClass}] ${message}`;
  const number = GRPC_CODES[code];
  const details: WrittenField[] = [];
  if (sparkErrorClass !== undefined) details.push([3, any("google.rpc.ErrorInfo", errorInfo(sparkErrorClass))]);
  if (retryAfterMs !== undefined) details.push([3, any("google.rpc.RetryInfo", retryInfo(retryAfterMs))]);
  const trailers: Field[] = [
    ["grpc-status", String(number)],
    ["grpc-message", percentEncoded(text)],
  ];
  if (details.length > 0) {
    const status = writeMessage([1, number], [2, text], ...details);
    trailers.push(["grpc-status-details-bin", status.toString("base64")]);
  }
  return trailers;
}

function any(type: string, value: Buffer): Buffer {
  return writeMessage([1, `type.googleapis.com/${type}`], [2, value]);
}

function errorInfo(errorClass: string): Buffer {
  const entry = writeMessage([1, "errorClass"], [2, errorClass]);
  return writeMessage([1, "org.apache.spark.SparkSQLException"], [2, "org.apache.spark"], [3, entry]);
}

function retryInfo(milliseconds: number): Buffer {
  const delay = writeMessage([1, Math.floor(milliseconds / 1000)], [2, Math.floor(milliseconds % 1000) * 1_000_000]);
  return writeMessage([1, delay]);
}

/** `Percent-Encoded` of gRPC over HTTP/2: space to tilde without `%` stay, everything else is its UTF-8 bytes in hexadecimal. */
function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
