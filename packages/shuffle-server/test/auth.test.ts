import { createCipheriv, createDecipheriv, diffieHellman, generateKeyPairSync, hkdfSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ByteWriter,
  encodeBlockMessage,
  encodeTransportRequest,
  FrameReader,
  MalformedError,
  readSettings,
} from "../src/index.ts";
import {
  decodeAuthMessage,
  encodeAuthMessage,
  opened,
  publicKey,
  sealed,
  sessionKeys,
} from "../src/auth/key-agreement.ts";
import { GcmOpener, GcmSealer } from "../src/auth/gcm-messages.ts";
import { digestOf, directives } from "../src/auth/sasl-handshake.ts";
import { APPLICATION, fetchBlocks, type Client } from "./support/client.ts";
import { registration, start, type Running } from "./support/server.ts";

const SECRET = "c2VjcmV0IG9mIGFuIGFwcGxpY2F0aW9u";
const USER = Buffer.from("sparkSaslUser").toString("base64");

function saslMessage(application: string, token: string): Buffer {
  return new ByteWriter()
    .byte(0xea - 0x100)
    .text(application)
    .int(token.length)
    .raw(Buffer.from(token))
    .written();
}

/** The answer to an RPC, as text, or its failure. */
async function rpc(client: Client, body: Buffer): Promise<Buffer | string> {
  client.send({ kind: "rpc", requestId: 1n, body });
  const answer = await client.answer();
  if (answer.kind === "rpc") return Buffer.from(answer.body);
  return answer.kind === "rpc-failure" ? answer.error : answer.kind;
}

async function sasl(running: Running, secret: string, application = APPLICATION) {
  const client = await running.client();
  const challenge = String(await rpc(client, saslMessage(application, "")));
  const nonce = directives(challenge).get("nonce") ?? "";
  const given = `charset=utf-8,username="${USER}",realm="default",nonce="${nonce}",nc=00000001,cnonce="abc",digest-uri="null/default",qop=auth`;
  const proof = digestOf(secret, nonce, directives(given), "AUTHENTICATE");
  return { client, answer: String(await rpc(client, saslMessage(application, `${given},response=${proof}`))) };
}

/** The client's side of Spark's own protocol: what it sends from now on, encrypted, and the answers, decrypted. */
async function handshake(running: Running, version: 1 | 2, secret = SECRET) {
  const client = await running.client();
  const pair = generateKeyPairSync("x25519");
  const { x = "" } = pair.publicKey.export({ format: "jwk" });
  const challenge = sealed(secret, APPLICATION, Buffer.from(x, "base64url"), Buffer.alloc(0));
  const first = encodeAuthMessage(challenge);
  const answer = await rpc(client, first);
  if (typeof answer === "string") return { client, answer };
  const serverKey = opened(secret, decodeAuthMessage(answer), first);
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: publicKey(serverKey) });
  const { keys, fromClient, toClient } = sessionKeys(shared, Buffer.concat([first, answer]));
  const key = version === 1 ? keys.v1 : keys.v2;
  const cipher = createCipheriv(`aes-${key.length * 8}-ctr`, key, fromClient);
  const decipher = createDecipheriv(`aes-${key.length * 8}-ctr`, key, toClient);
  const frames = new FrameReader();
  let wake: () => void = () => undefined;
  client.socket.removeAllListeners("data");
  client.socket.on("data", (chunk) => {
    frames.push(decipher.update(chunk));
    wake();
  });
  return {
    client,
    answer: "authenticated",
    send: (bytes: Buffer) => client.sendBytes(cipher.update(bytes)),
    async frame(): Promise<Buffer> {
      for (;;) {
        const frame = frames.next();
        if (frame !== undefined) return frame;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

describe("SASL", () => {
  test("a client that knows the secret is served, and only for its application", async () => {
    await using running = await start({ secret: SECRET });
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const { client, answer } = await sasl(running, SECRET);
    expect(answer).toMatch(/^rspauth=[0-9a-f]{32}$/);
    expect(await client.ask(registration(running.files))).toBeUndefined();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
    expect(await client.ask({ kind: "get-local-dirs", application: "others", executors: [] })).toBe(
      `java.lang.SecurityException: Client for ${APPLICATION} not authorized for application others.`,
    );
  });

  test("a client with another secret is refused, and loses its connection", async () => {
    await using running = await start({ secret: SECRET });
    const { client, answer } = await sasl(running, "another");
    expect(answer).toContain("DIGEST-MD5: digest response format violation");
    await client.closed();
  });

  test("another application is refused even with the secret, if the server is for one", async () => {
    await using running = await start({ secret: SECRET, application: "spark-of-others" });
    const { client, answer } = await sasl(running, SECRET);
    expect(answer).toContain("not authorized for application");
    await client.closed();
  });

  test("an answer of another handshake does not help", async () => {
    await using running = await start({ secret: SECRET });
    const first = await running.client();
    const nonce = directives(String(await rpc(first, saslMessage(APPLICATION, "")))).get("nonce") ?? "";
    const given = `username="${USER}",realm="default",nonce="${nonce}",nc=00000001,cnonce="abc",digest-uri="null/default",qop=auth`;
    const response = `${given},response=${digestOf(SECRET, nonce, directives(given), "AUTHENTICATE")}`;
    const second = await running.client();
    await rpc(second, saslMessage(APPLICATION, ""));
    expect(await rpc(second, saslMessage(APPLICATION, response))).toContain("Mismatched response");
  });
});

describe("Spark's own protocol", () => {
  test.each([1, 2] as const)("of version %s: a block comes encrypted, however its bytes are cut", async (version) => {
    await using running = await start({ secret: SECRET });
    const block = Buffer.alloc(700_000, "a block ");
    running.files.writeMap(0, 0, [block]);
    const session = await handshake(running, version);
    expect(session.answer).toBe("authenticated");
    const requests = [registration(running.files), fetchBlocks("1", [[0, 0]])].map((message) =>
      encodeTransportRequest({ kind: "rpc", requestId: 2n, body: encodeBlockMessage(message) }),
    );
    for (const byte of Buffer.concat(requests)) session.send?.(Buffer.of(byte));
    await session.frame?.();
    const handle = (await session.frame?.()) ?? Buffer.alloc(0);
    session.send?.(encodeTransportRequest({ kind: "chunk", streamId: handle.readBigInt64BE(14), chunkIndex: 0 }));
    const chunk = (await session.frame?.()) ?? Buffer.alloc(0);
    expect(chunk.subarray(13).equals(block)).toBe(true);
  });

  test("a client with another secret is refused, and loses its connection", async () => {
    await using running = await start({ secret: SECRET });
    const { client, answer } = await handshake(running, 2, "another");
    expect(answer).toBe("java.lang.IllegalArgumentException: Authentication failed.");
    await client.closed();
  });

  test("bytes that are not encrypted after the handshake close the connection", async () => {
    await using running = await start({ secret: SECRET });
    const { client } = await handshake(running, 2);
    client.sendBytes(Buffer.alloc(64, 0x55));
    await client.closed();
    expect(running.log.at(-1)).toContain("refused (authentication)");
  });

  test.each([
    ["no content", Buffer.of(0xfb)],
    [
      "a short key",
      encodeAuthMessage({ application: APPLICATION, salt: Buffer.alloc(16), ciphertext: Buffer.alloc(5) }),
    ],
    ["no salt", encodeAuthMessage({ application: "", salt: Buffer.alloc(0), ciphertext: Buffer.alloc(60) })],
    [
      "random bytes",
      encodeAuthMessage({ application: APPLICATION, salt: Buffer.alloc(16, 1), ciphertext: Buffer.alloc(60, 2) }),
    ],
    ["a point that gives no secret", encodeAuthMessage(sealed(SECRET, APPLICATION, Buffer.alloc(32), Buffer.alloc(0)))],
  ])("a challenge with %s is refused", async (_, challenge) => {
    await using running = await start({ secret: SECRET });
    const client = await running.client();
    expect(await rpc(client, challenge)).toBe("java.lang.IllegalArgumentException: Authentication failed.");
    await client.closed();
  });
});

test.each([
  ["a request for blocks", encodeTransportRequest({ kind: "chunk", streamId: 1n, chunkIndex: 0 })],
  ["a one-way message", encodeTransportRequest({ kind: "one-way", body: Buffer.alloc(1) })],
  ["a stream", encodeTransportRequest({ kind: "stream", streamId: "1_0" })],
])("without a handshake, %s closes the connection", async (_, request) => {
  await using running = await start({ secret: SECRET });
  const client = await running.client();
  client.sendBytes(request);
  expect(await client.frame()).toBeUndefined();
});

test("without a handshake, a registration is answered with a failure", async () => {
  await using running = await start({ secret: SECRET });
  const client = await running.client();
  expect(await client.ask(registration(running.files))).toContain("Expected SaslMessage");
  await client.closed();
});

describe("messages with AES-GCM", () => {
  const key = fc.constantFrom(16, 32).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));

  test("are read as they were written, however they are cut", () => {
    fc.assert(
      fc.property(
        key,
        fc.array(fc.nat({ max: 70_000 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 50_000 }),
        (bytes, sizes, cut) => {
          const sealer = new GcmSealer(Buffer.from(bytes));
          const plain = sizes.map((size, index) => Buffer.alloc(size, index + 1));
          const all = Buffer.concat(plain.map((one) => sealer.seal(one)));
          const opener = new GcmOpener([Buffer.from(bytes)]);
          const found: Buffer[] = [];
          for (let at = 0; at < all.length; at += cut) found.push(opener.open(all.subarray(at, at + cut)));
          expect(Buffer.concat(found).equals(Buffer.concat(plain))).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("of several segments are read, as Spark writes them", () => {
    const plain = Buffer.alloc(100_000, "request ");
    expect(new GcmOpener([KEY]).open(sparkMessage(plain)).equals(plain)).toBe(true);
  });

  test("that were changed, swapped or cut are refused", () => {
    const message = sparkMessage(Buffer.alloc(70_000, 1));
    for (const at of [7, 9, 25, 32, 40, 32_800, message.length - 1]) {
      const changed = Buffer.from(message);
      changed[at] = (changed[at] ?? 0) ^ 1;
      // A changed length makes it wait for more.
      const more = Buffer.concat([changed, Buffer.alloc(300)]);
      expect(() => new GcmOpener([KEY]).open(more), `byte ${at}`).toThrow(MalformedError);
    }
  });
});

const KEY = Buffer.alloc(16, 3);

/** A message as Tink makes it, with segments of 32 KiB. */
function sparkMessage(plain: Buffer): Buffer {
  const salt = Buffer.alloc(16, 4);
  const prefix = Buffer.alloc(7, 5);
  const most = 32 * 1024 - 16;
  const segments = Array.from({ length: Math.ceil(plain.length / most) }, (_, at) =>
    plain.subarray(at * most, (at + 1) * most),
  );
  const length = Buffer.alloc(8);
  length.writeBigInt64BE(BigInt(8 + 24 + plain.length + 16 * segments.length));
  const key = Buffer.from(hkdfSync("sha256", KEY, salt, length, 16));
  const sealedSegments = segments.map((segment, at) => {
    const nonce = Buffer.concat([prefix, Buffer.alloc(5)]);
    nonce.writeUInt32BE(at, 7);
    nonce[11] = at === segments.length - 1 ? 1 : 0;
    const cipher = createCipheriv("aes-128-gcm", key, nonce);
    return Buffer.concat([cipher.update(segment), cipher.final(), cipher.getAuthTag()]);
  });
  return Buffer.concat([length, Buffer.of(24), salt, prefix, ...sealedSegments]);
}

describe("the secret", () => {
  test("comes from Spark's variable, or from a file as Spark reads it", () => {
    const folder = mkdtempSync("/tmp/ksh-secret-");
    writeFileSync(`${folder}/secret`, Buffer.of(1, 2, 255));
    const dirs = { KINDLING_SHUFFLE_LOCAL_DIRS: "/tmp" };
    expect(readSettings(dirs).secret).toBeUndefined();
    expect(readSettings({ ...dirs, _SPARK_AUTH_SECRET: SECRET }).secret).toBe(SECRET);
    const file = `${folder}/secret`;
    expect(readSettings({ ...dirs, _SPARK_AUTH_SECRET: SECRET, KINDLING_SHUFFLE_SECRET_FILE: file }).secret).toBe(
      "AQL/",
    );
    writeFileSync(file, "");
    expect(() => readSettings({ ...dirs, KINDLING_SHUFFLE_SECRET_FILE: file })).toThrow("which is empty");
    expect(() => readSettings({ ...dirs, KINDLING_SHUFFLE_SECRET_FILE: `${folder}/none` })).toThrow("(ENOENT)");
    rmSync(folder, { recursive: true });
  });
});
