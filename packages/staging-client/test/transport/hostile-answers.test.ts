import { describe, expect, it, onTestFinished } from "vitest";
import { connectStaging, parseProblem, type StagingError } from "../../src/index.ts";
import { stubServer } from "../support/stub-server.ts";

const SECRET = "topsecret-0123456789";

/** The error of a call whose answer is no success. */
async function failureOf(status: number, body: string, headers: Record<string, string> = {}): Promise<StagingError> {
  const { uri } = await stubServer((_request, response) => response.writeHead(status, headers).end(body));
  const redact = (text: string): string => text.replaceAll(SECRET, "***");
  const client = connectStaging({ uri, redact, retry: { attempts: 1, overloadedMs: 0 } });
  onTestFinished(() => client.close());
  const failure: unknown = await client.storageStatus().catch((error: unknown) => error);
  return failure as StagingError;
}

function problem(members: object): string {
  return JSON.stringify({
    type: "urn:kindling:staging:forbidden",
    status: 403,
    title: "No",
    retryable: false,
    ...members,
  });
}

const JSON_TYPE = { "content-type": "application/problem+json" };

describe("hostile server", () => {
  it("is quoted without what a terminal obeys", async () => {
    const detail = "\u001b[2Jno\r\n\u202eoh\u0085\u009b1m";
    const { message, problem: told } = await failureOf(403, problem({ detail, requestId: "a\nb" }), JSON_TYPE);
    expect(message).toMatch(/: \\u\{1b\}\[2Jno \\u\{202e\}oh \\u\{9b\}1m \(request a b\)$/);
    expect(told?.detail).toBe("\\u{1b}[2Jno \\u{202e}oh \\u{9b}1m");
  });

  it("is quoted with a KiB at most, of which secrets are no part, not even where it is cut", async () => {
    const detail = `${"x".repeat(1015)}${SECRET}${"y".repeat(100_000)}`;
    const { message } = await failureOf(403, problem({ detail, requestId: detail }), JSON_TYPE);
    expect(message.length).toBeLessThan(1400);
    expect(message).toContain("x***");
    expect(message).not.toContain("tops");
  });

  it("is not listened to for longer than that takes", async () => {
    const { message } = await failureOf(403, problem({ detail: "x".repeat(15_000_000) }), JSON_TYPE);
    expect(message).toMatch(/: HTTP status 403$/);
    const { message: other } = await failureOf(403, problem({ detail: "x".repeat(20_000) }));
    expect(other).toMatch(/: HTTP status 403$/);
  });

  it("may name all files of a bundle that are missing", async () => {
    const missing = Array.from({ length: 4096 }, () => `sha256:${"0".repeat(64)}`);
    const { problem: told } = await failureOf(
      422,
      problem({ type: "urn:kindling:staging:blobs-missing", missing }),
      JSON_TYPE,
    );
    expect(told).toMatchObject({ type: "urn:kindling:staging:blobs-missing", missing });
  });

  it("is waited for five minutes at most", async () => {
    expect((await failureOf(503, "", { "retry-after": "7" })).retryAfterMs).toBe(7000);
    expect((await failureOf(503, "", { "retry-after": "99999999999999999999" })).retryAfterMs).toBe(300_000);
    expect((await failureOf(503, "", { "retry-after": "-1" })).retryAfterMs).toBeUndefined();
  });

  it("may answer with as much as is asked for, and not with more", async () => {
    const text = `{"store":"s","namespaces":[],"more":[${"0,".repeat(2000)}0]}`;
    const { uri } = await stubServer((_request, response) => response.end(text));
    const ask = async (mostBytes: number, mostValues: number): Promise<unknown> => {
      const client = connectStaging({ uri, documents: { mostBytes, mostValues } });
      onTestFinished(() => client.close());
      return await client.storageStatus();
    };
    expect(await ask(text.length, 2010)).toMatchObject({ store: "s" });
    await expect(ask(text.length - 1, 2010)).rejects.toMatchObject({ fault: "protocol" });
    await expect(ask(text.length, 2000)).rejects.toMatchObject({ fault: "protocol" });
  });
});

describe("a problem document", () => {
  it("is harmless and short when nothing else is said", () => {
    const { detail, title } = parseProblem(problem({ detail: "a\u001bb", title: "x".repeat(5000) })) ?? {};
    expect(detail).toBe("a\\u{1b}b");
    expect(title?.length).toBeLessThan(1100);
  });
});
