import { expect, it } from "vitest";
import { EMPTY_HASH, presignedUrl, signedHeaders, type SigningScope } from "../../src/s3/sign-request.ts";

// The examples of "Authenticating Requests (AWS Signature Version 4)" in the S3 API reference.
const SCOPE: SigningScope = {
  keys: {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    sessionToken: undefined,
  },
  region: "us-east-1",
  date: new Date("2013-05-24T00:00:00Z"),
};
const BUCKET = "https://examplebucket.s3.amazonaws.com";

it.each([
  [
    "PUT",
    "/test$file.text",
    { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  ["GET", "/?lifecycle", {}, EMPTY_HASH, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["GET", "/?max-keys=2&prefix=J", {}, EMPTY_HASH, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("signs %s %s as AWS does", async (method, path, headers, payloadHash, signature) => {
  const signed = await signedHeaders({ method, url: new URL(BUCKET + path), headers, payloadHash }, SCOPE);
  expect(signed["authorization"]).toContain(`Signature=${signature}`);
  expect(signed["authorization"]).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, /,
  );
});

it("presigns a URL as AWS does", async () => {
  const url = await presignedUrl(new URL(`${BUCKET}/test.txt`), 86_400, SCOPE);
  expect(url.searchParams.get("X-Amz-Signature")).toBe(
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

it("signs the token of temporary credentials, too", async () => {
  const keys = { ...SCOPE.keys, sessionToken: "token" };
  const request = { method: "GET", url: new URL(BUCKET), headers: {}, payloadHash: EMPTY_HASH };
  const signed = await signedHeaders(request, { ...SCOPE, keys });
  expect(signed["x-amz-security-token"]).toBe("token");
  expect(signed["authorization"]).toContain("x-amz-security-token");
  const presigned = await presignedUrl(new URL(BUCKET), 60, { ...SCOPE, keys });
  expect(presigned.search).toContain("X-Amz-Security-Token=token");
});
