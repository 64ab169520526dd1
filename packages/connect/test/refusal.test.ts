import { expect, test } from "vitest";
import { refusalOf } from "../src/audit/refusal.ts";
import { type GrpcCode, GrpcError } from "../src/grpc/grpc-status.ts";

test.each<[GrpcCode, string, string]>([
  ["UNAUTHENTICATED", "forbid", "why (UNAUTHENTICATED)"],
  ["RESOURCE_EXHAUSTED", "forbid", "why (RESOURCE_EXHAUSTED)"],
  // Their texts may quote a driver's log, or a value of a profile.
  ["FAILED_PRECONDITION", "error", "no driver can be had (FAILED_PRECONDITION)"],
  ["UNAVAILABLE", "error", "not possible at present (UNAVAILABLE)"],
  ["INTERNAL", "error", "a fault of the service (INTERNAL)"],
])("%s is told", (code, decision, reason) => {
  expect(refusalOf(new GrpcError(code, "why"))).toEqual({ decision, reason });
});

test("a client that went away, and a session whose driver is gone, were refused nothing", () => {
  expect(refusalOf(new GrpcError("CANCELLED", "the call was broken off"))).toBeUndefined();
  const gone = { sparkErrorClass: "INVALID_HANDLE.SESSION_NOT_FOUND" };
  expect(refusalOf(new GrpcError("INTERNAL", "Session not found.", gone))).toBeUndefined();
});
